import { questions, ranking } from "../question.ts"

export const ranked = [
  ...questions("ranked", "demo", {
    "weakest-region": [
      "which region has the worst win rate",
      ranking(
        1,
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
    "reps-by-wins": [
      "rank the reps by number of deals won, top 5",
      ranking(5, `select owner as name, count(*) as deals from d where outcome = 'won' group by 1 order by 2 desc`),
    ],
    "easiest-competitor": [
      "against which competitor do we win most often?",
      ranking(
        1,
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
    "industry-most-revenue": [
      "Which industry brings us the most money?",
      ranking(
        1,
        `select industry as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`,
      ),
    ],
    "fewest-wins": [
      "rep with the fewest wins this year",
      ranking(
        1,
        `select owner as name, count(*) filter (where outcome = 'won' and in_year(close_date, 0)) as deals from d group by 1 order by 2`,
      ),
    ],
    "largest-open-dach": [
      "biggest open deal in DACH",
      ranking(
        1,
        `select name, amount from d where outcome = 'open' and region = 'DACH' and amount is not null order by 2 desc limit 20`,
      ),
    ],
  }),
  ...questions("ranked", "crm", {
    "top-reps": [
      "top 5 sales agents by revenue",
      ranking(5, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
    ],
    "best-win-rate": [
      "who has the highest win rate?",
      ranking(
        1,
        `select owner as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
    "best-product": [
      "best selling product by number of won deals",
      ranking(
        1,
        `select label as name, count(*) as deals from d join labels on deal_id = id where outcome = 'won' group by 1 order by 2 desc`,
      ),
    ],
  }),
]
