import { questions, rows } from "../question.ts"

export const trend = [
  ...questions("trend", "demo", {
    "revenue-by-month-this-year": [
      "revenue by month this year",
      rows(
        `select month_name(month_start(n)) as name, sum(amount) as amount from generate_series(-12, 0) n join d on outcome = 'won' and in_month(close_date, n) and in_year(close_date, 0) group by n order by n`,
      ),
    ],
    "orvanta-over-time": [
      "how has our win rate against orvanta changed over time, by quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, avg((outcome = 'won')::int) as rate from generate_series(-8, 0) n join (d join rivals on deal_id = d.id and competitor = 'Orvanta') on outcome <> 'open' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "dach-losses-monthly": [
      "DACH losses month by month this year",
      rows(
        `select month_name(month_start(n)) as name, count(*) as deals from generate_series(-12, 0) n join d on outcome = 'lost' and region = 'DACH' and in_month(close_date, n) and in_year(close_date, 0) group by n order by n`,
      ),
    ],
  }),
  ...questions("trend", "crm", {
    "revenue-by-quarter": [
      "revenue by quarter",
      rows(
        `select quarter_name(date_trunc('quarter', close_date)::date) as name, sum(amount) as amount from d where outcome = 'won' group by date_trunc('quarter', close_date) order by date_trunc('quarter', close_date)`,
      ),
    ],
    "wins-by-month": [
      "won deals by month",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, count(*) as deals from d where outcome = 'won' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
    "win-rate-over-time": [
      "how did the win rate develop, by month?",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
    "gtk-by-quarter": [
      "GTK 500 revenue per quarter",
      rows(
        `select quarter_name(date_trunc('quarter', close_date)::date) as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'GTK 500' group by date_trunc('quarter', close_date) order by date_trunc('quarter', close_date)`,
      ),
    ],
  }),
]
