import { questions, rows } from "../question.ts"

export const compared = [
  ...questions("compared", "demo", {
    "orvanta-or-nimbrel": [
      "do we lose more to Orvanta or to Nimbrel?",
      rows(
        `select competitor as name, count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor in ('Orvanta', 'Nimbrel') group by 1`,
      ),
    ],
    "dach-vs-nordics": [
      "win rate DACH vs Nordics",
      rows(
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and region in ('DACH', 'Nordics') group by 1`,
      ),
    ],
    "ines-vs-elif": [
      "compare Ines Ilves and Elif Zimmer on revenue",
      rows(
        `select owner as name, sum(amount) as amount from d where outcome = 'won' and owner in ('Ines Ilves', 'Elif Zimmer') group by 1`,
      ),
    ],
    "win-rate-year-on-year": [
      "how does our win rate compare to last year",
      rows(
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, avg((outcome = 'won')::int) as rate from generate_series(-1, 0) n join d on outcome <> 'open' and in_year(close_date, n) group by n`,
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, avg((outcome = 'won')::int) as rate from generate_series(-1, 0) n join d on outcome <> 'open' and in_year(close_date, n) and close_date <= today() + n * interval '1 year' group by n`,
      ),
    ],
    "losses-last-month": [
      "losses this month compared with last month",
      rows(
        `select month_name(month_start(n)) || case n when 0 then '|this month' else '|last month' end as name, count(d.id) as deals from generate_series(-1, 0) n left join d on outcome = 'lost' and in_month(close_date, n) group by n`,
        `select month_name(month_start(n)) || case n when 0 then '|this month' else '|last month' end as name, count(d.id) as deals from generate_series(-1, 0) n left join d on outcome = 'lost' and in_month(close_date, n) and close_date - month_start(n) <= today() - month_start(0) group by n`,
      ),
    ],
    "pipeline-dach-apac": [
      "where is more pipeline, DACH or APAC",
      rows(
        `select region as name, sum(amount) as amount from d where outcome = 'open' and region in ('DACH', 'APAC') group by 1`,
      ),
    ],
  }),
  ...questions("compared", "crm", {
    "q1-vs-q2": [
      "wins in Q1 2025 versus Q2 2025",
      rows(
        `select quarter_name(date_trunc('quarter', close_date)::date) as name, count(*) as deals from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2025-07-01' group by 1`,
      ),
    ],
  }),
]
