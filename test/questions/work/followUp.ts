import { questions, ranking, rows } from "../question.ts"

export const followUp = [
  ...questions("follow-up", "demo", {
    "and-in-dach": [
      ["how many deals did we lose this year?", "and in DACH?"],
      rows(`select count(*) as deals from d where outcome = 'lost' and in_year(close_date, 0) and region = 'DACH'`),
    ],
    "by-revenue": [
      ["who are our top 3 reps by deals won?", "by revenue?"],
      ranking(3, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
    ],
    "why-those-ten": [
      ["biggest losses last quarter", "why did we lose those?"],
      ranking(
        3,
        `select reason as name, count(*) as deals from (select id from d where outcome = 'lost' and in_quarter(close_date, -1) order by amount desc nulls last limit 10) t join drivers on deal_id = t.id where not positive group by 1 order by 2 desc`,
      ),
    ],
    "without-a-row": [
      ["win rate by competitor this year", "exclude Nimbrel"],
      rows(
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and in_year(close_date, 0) and competitor <> 'Nimbrel' group by 1`,
      ),
    ],
    "how-is-she-doing": [
      ["how is Elif doing", "and this year?"],
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_year(close_date, 0) and owner = 'Elif Zimmer'`,
      ),
    ],
    "and-tallowmark": [
      ["What's our win rate against Orvanta?", "and Tallowmark?"],
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Tallowmark'`,
      ),
    ],
    "three-turns": [
      ["how many deals did we win last quarter?", "what were they worth?", "and on average?"],
      rows(`select avg(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1)`),
    ],
  }),
  ...questions("follow-up", "crm", {
    "and-lost": [
      ["how many deals did we win in retail", "and how many did we lose?"],
      rows(`select count(*) as deals from d where outcome = 'lost' and industry = 'retail'`),
    ],
    "software-instead": [
      ["revenue from medical?", "what about software?"],
      rows(`select sum(amount) as amount from d where outcome = 'won' and industry = 'software'`),
    ],
    "vicki-too": [
      ["win rate of Darcel Schlecht", "and Vicki Laflamme?"],
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and owner = 'Vicki Laflamme'`),
    ],
    "by-product": [
      ["total revenue", "by product"],
      rows(
        `select label as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1`,
      ),
    ],
    "top-3-only": [
      ["top 10 customers by revenue", "just the top 3"],
      ranking(
        3,
        `select client as name, sum(amount) as amount from d where outcome = 'won' and client is not null group by 1 order by 2 desc limit 40`,
      ),
    ],
  }),
]
