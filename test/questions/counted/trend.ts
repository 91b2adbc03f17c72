import { questions, rows } from "../question.ts"

export const trend = [
  ...questions("trend", "demo", {
    "win-rate-by-quarter": [
      "win rate by quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, avg((outcome = 'won')::int) as rate from generate_series(-8, 0) n join d on outcome <> 'open' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "losses-per-quarter": [
      "losses per quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, count(*) as deals from generate_series(-8, 0) n join d on outcome = 'lost' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "bookings-by-year": [
      "bookings by year",
      rows(
        `select year_name(year_start(n)) as name, sum(amount) as amount from generate_series(-3, 0) n join d on outcome = 'won' and in_year(close_date, n) group by n order by n`,
      ),
    ],
    "average-size-trend": [
      "trend of avg won deal size, quarterly",
      rows(
        `select quarter_name(quarter_start(n)) as name, avg(amount) as amount from generate_series(-8, 0) n join d on outcome = 'won' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "wins-last-4-quarters": [
      "wins over the last 4 quarters",
      rows(
        `select quarter_name(quarter_start(n)) as name, count(*) as deals from generate_series(-4, -1) n join d on outcome = 'won' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "created-by-month": [
      "deals created per month this year",
      rows(
        `select month_name(month_start(n)) as name, count(*) as deals from generate_series(-12, 0) n join d on in_month(created, n) and in_year(created, 0) group by n order by n`,
      ),
    ],
    "close-dates-next": [
      "open pipeline by expected close month",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, sum(amount) as amount from d where outcome = 'open' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
  }),
]
