import { questions, rows } from "../question.ts"

export const average = [
  ...questions("average", "demo", {
    "average-won": [
      "What is our average deal size for won deals?",
      rows(`select avg(amount) as amount from d where outcome = 'won'`),
    ],
    "average-by-nimbrel": [
      "how large is the average deal we lose to Nimbrel?",
      rows(
        `select avg(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Nimbrel'`,
      ),
    ],
    "typical-dach": [
      "on average, how big is a won deal in the Nordics",
      rows(`select avg(amount) as amount from d where outcome = 'won' and region = 'Nordics'`),
    ],
    "median-energy": [
      "what's the median deal size in energy?",
      rows(`select percentile_cont(0.5) within group (order by amount) as amount from d where industry = 'Energy'`),
    ],
    "average-last-quarter": [
      "average contract value of last quarter's wins",
      rows(`select avg(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1)`),
    ],
  }),
  ...questions("average", "crm", {
    "median-won": [
      "median value of deals we've won",
      rows(`select percentile_cont(0.5) within group (order by amount) as amount from d where outcome = 'won'`),
    ],
    "average-finance": [
      "how much is a won deal in finance worth on average?",
      rows(`select avg(amount) as amount from d where outcome = 'won' and industry = 'finance'`),
    ],
    "largest-won": [
      "what's the max amount of a won deal?",
      rows(`select max(amount) as amount from d where outcome = 'won'`),
    ],
  }),
]
