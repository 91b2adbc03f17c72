import { questions, rows } from "../question.ts"

export const average = [
  ...questions("average", "demo", {
    "median-open": [
      "median size of open deals",
      rows(`select percentile_cont(0.5) within group (order by amount) as amount from d where outcome = 'open'`),
    ],
    "average-renewal": [
      "avg renewal value we closed won",
      rows(`select avg(amount) as amount from d where outcome = 'won' and type = 'Renewal'`),
    ],
    "median-lost-year": [
      "median amount of the deals we lost this year",
      rows(
        `select percentile_cont(0.5) within group (order by amount) as amount from d where outcome = 'lost' and in_year(close_date, 0)`,
      ),
    ],
    "average-all": ["mean deal value across everything", rows(`select avg(amount) as amount from d`)],
    "average-lars": [
      "Lars Eriksdotter avg won deal size",
      rows(`select avg(amount) as amount from d where outcome = 'won' and owner = 'Lars Eriksdotter'`),
    ],
  }),
  ...questions("average", "crm", {
    "average-won": ["avg won deal", rows(`select avg(amount) as amount from d where outcome = 'won'`)],
    "average-gtk": [
      "average won amount for GTK 500",
      rows(
        `select avg(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'GTK 500'`,
      ),
    ],
  }),
]
