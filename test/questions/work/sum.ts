import { questions, rows } from "../question.ts"

export const sum = [
  ...questions("sum", "demo", {
    "total-pipeline": ["total pipeline value", rows(`select sum(amount) as amount from d where outcome = 'open'`)],
    "revenue-ytd": [
      "What's our revenue year to date?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and ytd(close_date)`),
    ],
    "elif-pipeline": [
      "how big is Elif Zimmer's pipeline?",
      rows(`select sum(amount) as amount from d where outcome = 'open' and owner = 'Elif Zimmer'`),
    ],
    "expansion-revenue": [
      "how much did expansions bring in this year",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and type = 'Expansion' and in_year(close_date, 0)`,
      ),
    ],
    "overdue-amount": [
      "what's the total amount of overdue deals",
      rows(`select sum(amount) as amount from d where overdue`),
    ],
  }),
  ...questions("sum", "crm", {
    revenue: ["total revenue", rows(`select sum(amount) as amount from d where outcome = 'won'`)],
    "revenue-q2-2025": [
      "bookings Q2 2025",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-04-01' and close_date < '2025-07-01'`,
      ),
    ],
    "revenue-retail": [
      "revenue from retail customers?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and industry = 'retail'`),
    ],
    "vicki-bookings": [
      "vicki laflamme's bookings in total",
      rows(`select sum(amount) as amount from d where outcome = 'won' and owner = 'Vicki Laflamme'`),
    ],
  }),
]
