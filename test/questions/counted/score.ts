import { questions, ranking, rows } from "../question.ts"

export const score = [
  ...questions("score", "demo", {
    "product-fit-lost": [
      "average product fit score of lost deals",
      rows(`select avg(product_fit) as score from d where outcome = 'lost'`),
    ],
    "execution-won": [
      "what's our sales execution score when we win?",
      rows(`select avg(sales_execution) as score from d where outcome = 'won'`),
    ],
    "relationship-by-rep": [
      "relationship score by rep",
      rows(`select owner as name, avg(relationship) as score from d group by 1 order by 2 desc`),
    ],
    "product-fit-by-outcome": [
      "product fit for won vs lost",
      rows(`select outcome as name, avg(product_fit) as score from d where outcome <> 'open' group by 1`),
    ],
    "best-execution": [
      "which rep has the best sales execution score",
      ranking(1, `select owner as name, avg(sales_execution) as score from d group by 1 order by 2 desc`),
    ],
    "accuracy-trend": [
      "messaging accuracy this year vs last year",
      rows(
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, avg(messaging_accuracy) as score from generate_series(-1, 0) n join d on in_year(close_date, n) group by n`,
      ),
    ],
  }),
]
