import { questions, ranking } from "../question.ts"

export const ranked = [
  ...questions("ranked", "demo", {
    "toughest-competitor": [
      "who do we lose to the most?",
      ranking(
        1,
        `select competitor as name, count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' group by 1 order by 2 desc`,
      ),
    ],
    "best-rep": [
      "who is our best rep by revenue",
      ranking(1, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
    ],
    "top-5-open": [
      "top 5 open deals",
      ranking(5, `select name, amount from d where outcome = 'open' and amount is not null order by 2 desc limit 40`),
    ],
    "biggest-loss": [
      "what's the biggest deal we lost last quarter?",
      ranking(
        1,
        `select name, amount from d where outcome = 'lost' and in_quarter(close_date, -1) and amount is not null order by 2 desc limit 20`,
      ),
    ],
    "top-3-customers": [
      "top three customers by revenue",
      ranking(
        3,
        `select client as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc nulls last limit 40`,
      ),
    ],
    "smallest-won": [
      "smallest deal we've ever won",
      ranking(1, `select name, amount from d where outcome = 'won' and amount is not null order by 2 limit 40`),
    ],
  }),
  ...questions("ranked", "crm", {
    "biggest-customers": [
      "biggest 10 accounts by bookings",
      ranking(
        10,
        `select client as name, sum(amount) as amount from d where outcome = 'won' and client is not null group by 1 order by 2 desc limit 40`,
      ),
    ],
    "worst-sector": [
      "in what sector do we do worst, win-rate wise",
      ranking(
        1,
        `select industry as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry is not null group by 1 order by 2`,
      ),
    ],
    "biggest-deal": [
      "biggest deal ever?",
      ranking(1, `select name, amount from d where amount is not null order by 2 desc limit 40`),
    ],
  }),
]
