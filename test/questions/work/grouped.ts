import { questions, rows } from "../question.ts"

export const grouped = [
  ...questions("grouped", "demo", {
    "win-rate-by-competitor": [
      "win rate by competitor",
      rows(
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
    "pipeline-by-stage": [
      "show me the pipeline by stage",
      rows(`select stage as name, sum(amount) as amount from d where outcome = 'open' group by 1`),
    ],
    "losses-by-region": [
      "lost deals per region",
      rows(`select region as name, count(*) as deals from d where outcome = 'lost' group by 1`),
    ],
    "win-rate-by-region-last-year": [
      "Win rate per region last year",
      rows(
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_year(close_date, -1) group by 1`,
      ),
    ],
    "open-by-owner": [
      "open deals by rep",
      rows(`select owner as name, count(*) as deals from d where outcome = 'open' group by 1 order by 2 desc`),
    ],
    "median-by-competitor": [
      "median lost deal size for each competitor",
      rows(
        `select competitor as name, percentile_cont(0.5) within group (order by amount) as amount from d join rivals on deal_id = id where outcome = 'lost' group by 1`,
      ),
    ],
    "losses-by-band": [
      "lost deals by lead source",
      rows(`select crm ->> 'lead_source' as name, count(*) as deals from d where outcome = 'lost' group by 1`),
    ],
  }),
  ...questions("grouped", "crm", {
    "win-rate-by-industry": [
      "win rate by sector",
      rows(
        `select industry as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry is not null group by 1 order by 2 desc`,
      ),
    ],
    "average-by-product": [
      "avg won deal size per product",
      rows(
        `select label as name, avg(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1`,
      ),
    ],
  }),
]
