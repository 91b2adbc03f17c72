import { questions, ranking, rows, says } from "../question.ts"

export const followUp = [
  ...questions("follow-up", "demo", {
    "why-dach": [
      ["how many deals did we lose in DACH?", "why?"],
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and region = 'DACH' group by 1 order by 2 desc`,
      ),
    ],
    "last-year": [
      ["revenue this year?", "and last year?"],
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_year(close_date, -1)`),
    ],
    "split-by-region": [
      ["how many open deals do we have", "split that by region"],
      rows(`select region as name, count(*) as deals from d where outcome = 'open' group by 1`),
    ],
    "only-renewals": [
      ["win rate by region", "only renewals please"],
      rows(
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type = 'Renewal' group by 1`,
      ),
    ],
    "the-first-one": [
      ["which competitor do we lose to most?", "and what's our win rate against the first one?"],
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = (select competitor from d join rivals on deal_id = id where outcome = 'lost' group by 1 order by count(*) desc limit 1)`,
      ),
    ],
    "lost-instead": [
      ["how many deals did Elif Zimmer win?", "and lost?"],
      rows(`select count(*) as deals from d where outcome = 'lost' and owner = 'Elif Zimmer'`),
    ],
    "per-month": [
      ["bookings this year", "per month?"],
      rows(
        `select month_name(month_start(n)) as name, sum(amount) as amount from generate_series(-12, 0) n join d on outcome = 'won' and in_month(close_date, n) and in_year(close_date, 0) group by n order by n`,
      ),
    ],
    "price-then-notice": [["what does Nimbrel charge per seat?", "and what's their notice period?"], says("180 days")],
  }),
]
