import { questions, rows } from "../question.ts"

export const grouped = [
  ...questions("grouped", "demo", {
    "revenue-by-industry": [
      "revenue split by industry",
      rows(`select industry as name, sum(amount) as amount from d where outcome = 'won' group by 1`),
    ],
    "won-by-type": [
      "how many did we win by deal type",
      rows(`select type as name, count(*) as deals from d where outcome = 'won' group by 1`),
    ],
    "average-by-region": [
      "average won deal size in each region",
      rows(`select region as name, avg(amount) as amount from d where outcome = 'won' group by 1`),
    ],
    "revenue-by-product": [
      "bookings by product",
      rows(
        `select label as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1`,
      ),
    ],
    "by-outcome": [
      "deals by outcome",
      rows(
        `select case outcome when 'won' then 'won' when 'lost' then 'lost' else 'open' end as name, count(*) as deals from d group by 1`,
      ),
    ],
  }),
  ...questions("grouped", "crm", {
    "revenue-by-product": [
      "what did each product bring in?",
      rows(
        `select label as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1`,
      ),
    ],
    "by-stage": ["number of deals per stage", rows(`select stage as name, count(*) as deals from d group by 1`)],
    "wins-by-industry": [
      "wins broken down by industry",
      rows(
        `select industry as name, count(*) as deals from d where outcome = 'won' and industry is not null group by 1 order by 2 desc`,
      ),
    ],
  }),
]
