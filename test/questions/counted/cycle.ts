import { questions, ranking, rows } from "../question.ts"

export const cycle = [
  ...questions("cycle", "demo", {
    "median-cycle-by-owner": [
      "median sales cycle by rep",
      rows(
        `select owner as name, percentile_cont(0.5) within group (order by cycle) as days from d where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
    "cycle-by-type": [
      "avg cycle length per deal type",
      rows(`select type as name, avg(cycle) as days from d where outcome <> 'open' group by 1`),
    ],
    "cycle-renewals-won": [
      "how long do we need to win a renewal?",
      rows(`select avg(cycle) as days from d where outcome = 'won' and type = 'Renewal'`),
    ],
    "slowest-rep": [
      "who has the longest sales cycle",
      ranking(1, `select owner as name, avg(cycle) as days from d where outcome <> 'open' group by 1 order by 2 desc`),
    ],
    "cycle-last-year": [
      "is the cycle getting longer than last year?",
      rows(
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, avg(cycle) as days from generate_series(-1, 0) n join d on outcome <> 'open' and in_year(close_date, n) group by n`,
        `select year_name(year_start(n)) || case n when 0 then '|this year' else '|last year' end as name, avg(cycle) as days from generate_series(-1, 0) n join d on outcome <> 'open' and in_year(close_date, n) and close_date <= today() + n * interval '1 year' group by n`,
      ),
    ],
  }),
  ...questions("cycle", "crm", {
    "cycle-average": ["average days to close?", rows(`select avg(cycle) as days from d where outcome <> 'open'`)],
    "cycle-won-median": [
      "median sales cycle for won deals",
      rows(`select percentile_cont(0.5) within group (order by cycle) as days from d where outcome = 'won'`),
    ],
  }),
]
