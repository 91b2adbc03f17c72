import { questions, rows } from "../question.ts"

export const sum = [
  ...questions("sum", "demo", {
    "bookings-last-quarter": [
      "bookings last quarter",
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1)`),
    ],
    "arr-lost-orvanta": [
      "how much ARR did we lose to orvanta",
      rows(
        `select sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Orvanta'`,
      ),
    ],
    "dach-open-amount": [
      "hey, how much money is open in DACH at the moment?",
      rows(`select sum(amount) as amount from d where outcome = 'open' and region = 'DACH'`),
    ],
    "lost-value-june": [
      "value of what we've lost since June",
      rows(`select sum(amount) as amount from d where outcome = 'lost' and since_month(close_date, 6)`),
    ],
    "won-fy26": [
      "total won amount FY26",
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_fiscal_year(close_date, 2026)`),
    ],
    "healthcare-revenue": [
      "sum of closed-won in healthcare",
      rows(`select sum(amount) as amount from d where outcome = 'won' and industry = 'Healthcare'`),
    ],
  }),
  ...questions("sum", "crm", {
    "revenue-kan-code": [
      "how much revenue have we made with Kan-code?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and client = 'Kan-code'`),
    ],
    "revenue-gtxpro": [
      "how much did we sell of GTXPro",
      rows(
        `select sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'GTXPro'`,
      ),
    ],
  }),
]
