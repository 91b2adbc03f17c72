import { questions, ranking, rows } from "../question.ts"

export const age = [
  ...questions("age", "demo", {
    "open-age": [
      "how old are our open deals on average?",
      rows(`select avg(age) as days from d where outcome = 'open'`),
    ],
    "past-close-date-dach": [
      "open deals in DACH past their close date",
      rows(`select count(*) as deals from d where overdue and region = 'DACH'`),
    ],
    "oldest-open": [
      "what's our oldest open deal?",
      ranking(1, `select name, age as days from d where outcome = 'open' order by age desc limit 20`),
    ],
    "older-than-180": [
      "how many open deals are older than 180 days",
      rows(`select count(*) as deals from d where outcome = 'open' and age > 180`),
    ],
    "closing-this-month": [
      "how many open deals should close this month?",
      rows(`select count(*) as deals from d where outcome = 'open' and in_month(close_date, 0)`),
    ],
    "who-has-overdue": [
      "who has the most overdue deals?",
      ranking(1, `select owner as name, count(*) as deals from d where overdue group by 1 order by 2 desc`),
    ],
    "stale-negotiation": [
      "avg age of deals stuck in negotiation",
      rows(`select avg(age) as days from d where stage = 'Negotiation'`),
    ],
  }),
  ...questions("age", "crm", {
    overdue: ["any overdue deals?", rows(`select count(*) as deals from d where overdue`)],
  }),
]
