import { questions, ranking, rows } from "../question.ts"

export const age = [
  ...questions("age", "demo", {
    "overdue-count": ["how many deals are overdue", rows(`select count(*) as deals from d where overdue`)],
    "overdue-by-rep": [
      "overdue deals by owner",
      rows(`select owner as name, count(*) as deals from d where overdue group by 1 order by 2 desc`),
    ],
    "age-by-stage": [
      "average age of open deals by stage",
      rows(`select stage as name, avg(age) as days from d where outcome = 'open' group by 1`),
    ],
    "slipped-amount-by-region": [
      "amount overdue per region",
      rows(`select region as name, sum(amount) as amount from d where overdue group by 1`),
    ],
    "closing-next-quarter": [
      "pipeline closing next quarter",
      rows(`select sum(amount) as amount from d where outcome = 'open' and in_quarter(close_date, 1)`),
    ],
  }),
  ...questions("age", "crm", {
    "open-engaging-age": [
      "average age of deals in Engaging",
      rows(`select avg(age) as days from d where stage = 'Engaging'`),
    ],
    "engaging-per-agent": [
      "who has most deals stuck in Engaging?",
      ranking(1, `select owner as name, count(*) as deals from d where stage = 'Engaging' group by 1 order by 2 desc`),
    ],
  }),
]
