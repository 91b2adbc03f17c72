import { questions, rows } from "../question.ts"

export const compared = [
  ...questions("compared", "demo", {
    "revenue-this-vs-last-quarter": [
      "revenue this quarter vs last quarter",
      rows(
        `select quarter_name(quarter_start(n)) || case n when 0 then '|this quarter' else '|last quarter' end as name, coalesce(sum(amount), 0) as amount from generate_series(-1, 0) n left join d on outcome = 'won' and in_quarter(close_date, n) group by n`,
        `select quarter_name(quarter_start(n)) || case n when 0 then '|this quarter' else '|last quarter' end as name, coalesce(sum(amount), 0) as amount from generate_series(-1, 0) n left join d on outcome = 'won' and in_quarter(close_date, n) and close_date - quarter_start(n) <= today() - quarter_start(0) group by n`,
      ),
    ],
    "wins-than-last-year": [
      "did we win more deals this year than last year?",
      rows(
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, count(*) as deals from generate_series(-1, 0) n join d on outcome = 'won' and in_year(close_date, n) group by n`,
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, count(*) as deals from generate_series(-1, 0) n join d on outcome = 'won' and in_year(close_date, n) and close_date <= today() + n * interval '1 year' group by n`,
      ),
    ],
    "renewals-vs-expansions": [
      "are we better at renewals or at expansions?",
      rows(
        `select type as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type in ('Renewal', 'Expansion') group by 1`,
      ),
    ],
    "average-size-retail-energy": [
      "avg deal size retail versus energy (won)",
      rows(
        `select industry as name, avg(amount) as amount from d where outcome = 'won' and industry in ('Retail', 'Energy') group by 1`,
      ),
    ],
  }),
  ...questions("compared", "crm", {
    "darcel-vs-vicki": [
      "Darcel Schlecht vs Vicki Laflamme: revenue",
      rows(
        `select owner as name, sum(amount) as amount from d where outcome = 'won' and owner in ('Darcel Schlecht', 'Vicki Laflamme') group by 1`,
      ),
    ],
    "gtx-basic-vs-mg-advanced": [
      "win rate of GTX Basic vs MG Advanced",
      rows(
        `select label as name, avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and label in ('GTX Basic', 'MG Advanced') group by 1`,
      ),
    ],
    "retail-or-medical": [
      "did retail or medical bring more revenue?",
      rows(
        `select industry as name, sum(amount) as amount from d where outcome = 'won' and industry in ('retail', 'medical') group by 1`,
      ),
    ],
    "june-vs-july": [
      "compare revenue june 2025 with july 2025",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-06-01' and close_date < '2025-08-01' group by 1`,
      ),
    ],
  }),
]
