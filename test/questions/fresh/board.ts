import { questions, ranking, refuses, rows, tells } from "../question.ts"

/** The questions of a chief revenue officer and a chief financial officer before a board meeting. */
export const board = [
  ...questions("count", "demo", {
    "board-new-logos": [
      "New logos signed last fiscal year, please.",
      rows(
        `select count(distinct client) as clients from d where outcome = 'won' and in_year(close_date, -1)`,
        `select count(distinct client) as clients from d where outcome = 'won' and type = 'New business' and in_year(close_date, -1)`,
        `select count(*) as deals from d where outcome = 'won' and type = 'New business' and in_year(close_date, -1)`,
        `select count(*) as clients from (select min(close_date) as first from d where outcome = 'won' group by client) c where in_year(first, -1)`,
      ),
    ],
    "board-no-amount": [
      "How many deals carry no amount at all?",
      rows(`select count(*) as deals from d where amount is null`),
    ],
  }),
  ...questions("count", "crm", {
    "board-closed-won-q1": [
      "number of closed-won opportunities, Q1 2025",
      rows(
        `select count(*) as deals from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2025-04-01'`,
      ),
    ],
  }),
  ...questions("sum", "demo", {
    "board-booked-last-quarter": [
      "Before I walk into the board meeting: what did we book last quarter, all in all?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1)`),
    ],
    "board-lost-to-brixen": [
      "value of everything we've ever lost to Brixen Suite",
      rows(
        `select sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Brixen Suite'`,
        `select sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Brixen Suite' and is_primary`,
      ),
    ],
    "board-weighted-pipeline": [
      "What is our pipeline worth once each deal is weighted by its probability?",
      rows(`select sum(amount * (crm ->> 'probability')::float / 100) as amount from d where outcome = 'open'`),
    ],
  }),
  ...questions("sum", "crm", {
    "board-first-half": [
      "turnover H1 2025",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2025-07-01'`,
      ),
    ],
  }),
  ...questions("average", "demo", {
    "board-acv-new-business": [
      "avg ACV of new business won last FY",
      rows(
        `select avg(amount) as amount from d where outcome = 'won' and type = 'New business' and in_year(close_date, -1)`,
      ),
    ],
  }),
  ...questions("average", "crm", {
    "board-mean-telecommunications": [
      "Could you tell me the mean size of the deals we won in telecommunications?",
      rows(`select avg(amount) as amount from d where outcome = 'won' and industry = 'telecommunications'`),
    ],
  }),
  ...questions("rate", "demo", {
    "board-by-value": [
      "win rate by value rather than by number of deals, last quarter",
      rows(
        `select sum(amount) filter (where outcome = 'won') / sum(amount) as rate from d where outcome <> 'open' and in_quarter(close_date, -1)`,
      ),
    ],
    "board-renewal-rate": [
      "What percentage of renewals do we actually win?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type = 'Renewal'`),
    ],
  }),
  ...questions("rate", "crm", {
    "board-gtx-plus-pro": [
      "GTX Plus Pro close rate?",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and label = 'GTX Plus Pro'`,
      ),
    ],
  }),
  ...questions("grouped", "demo", {
    "board-bookings-by-type": [
      "Bookings last quarter, split by deal type.",
      rows(
        `select type as name, sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1) group by 1`,
      ),
    ],
    "board-by-forecast-category": [
      "Break the open pipeline down by forecast category",
      rows(
        `select crm ->> 'forecast_category' as name, sum(amount) as amount from d where outcome = 'open' group by 1`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "board-regions-lost-money": [
      "Which three regions lost us the most money last fiscal year?",
      ranking(
        3,
        `select region as name, sum(amount) as amount from d where outcome = 'lost' and in_year(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "board-largest-commit": [
      "largest open deal in Commit?",
      ranking(
        1,
        `select name, amount from d where outcome = 'open' and crm ->> 'forecast_category' = 'Commit' and amount is not null order by 2 desc limit 20`,
      ),
    ],
  }),
  ...questions("ranked", "crm", {
    "board-least-money": [
      "which product brings in the least money",
      ranking(
        1,
        `select label as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1 order by 2`,
      ),
    ],
  }),
  ...questions("compared", "demo", {
    "board-new-or-expansion": [
      "New business or expansion: where did we book more last quarter?",
      rows(
        `select type as name, sum(amount) as amount from d where outcome = 'won' and type in ('New business', 'Expansion') and in_quarter(close_date, -1) group by 1`,
      ),
    ],
    "board-quarter-on-quarter": [
      "last quarter's bookings vs the quarter before that",
      rows(
        `select quarter_name(quarter_start(n)) || case n when -1 then '|last quarter' else '|quarter before' end as name, coalesce(sum(amount), 0) as amount from generate_series(-2, -1) n left join d on outcome = 'won' and in_quarter(close_date, n) group by n`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "board-quarterly-bookings": [
      "quarterly bookings for the past two years",
      rows(
        `select quarter_name(quarter_start(n)) as name, sum(amount) as amount from generate_series(-6, -1) n join d on outcome = 'won' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("trend", "crm", {
    "board-average-monthly": [
      "how did the average won deal develop month by month in 2025",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, avg(amount) as amount from d where outcome = 'won' and close_date >= '2025-01-01' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "board-new-business-share": [
      "What percentage of last quarter's bookings was new business?",
      rows(
        `select sum(amount) filter (where type = 'New business') / sum(amount) as share from d where outcome = 'won' and in_quarter(close_date, -1)`,
      ),
    ],
  }),
  ...questions("share", "crm", {
    "board-mg-special-portion": [
      "what portion of our wins were MG Special deals",
      rows(
        `select count(*) filter (where label = 'MG Special')::float / count(*) as share from d join labels on deal_id = id where outcome = 'won'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "board-big-wins-days": [
      "For wins above 100k: how many days from creation to close on average?",
      rows(`select avg(cycle) as days from d where outcome = 'won' and amount > 100000`),
    ],
  }),
  ...questions("age", "demo", {
    "board-slipped-30": [
      "How many open deals slipped past their close date by more than 30 days?",
      rows(`select count(*) as deals from d where overdue and today() - close_date > 30`),
    ],
  }),
  ...questions("score", "demo", {
    "board-execution-losses": [
      "sales execution score across lost deals, average",
      rows(`select avg(sales_execution) as score from d where outcome = 'lost'`),
    ],
  }),
  ...questions("reasons", "demo", {
    "board-costliest-reasons": [
      "Give me the three reasons that cost us the most money last fiscal year.",
      ranking(
        3,
        `select reason as name, sum(amount) as amount from d join drivers on deal_id = id where outcome = 'lost' and not positive and in_year(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "board-contract-terms-money": [
      "how much revenue did contract terms cost us",
      rows(
        `select sum(amount) as amount from d join drivers on deal_id = id where outcome = 'lost' and not positive and reason = 'Contract terms'`,
      ),
    ],
  }),
  ...questions("filters", "demo", {
    "board-six-figure-new-business": [
      "six-figure new business deals lost last year in North America, number of",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and type = 'New business' and region = 'North America' and in_year(close_date, -1) and amount >= 100000 and amount < 1000000`,
        `select count(*) as deals from d where outcome = 'lost' and type = 'New business' and region = 'North America' and in_year(close_date, -1) and amount >= 100000`,
      ),
    ],
  }),
  ...questions("follow-up", "demo", {
    "board-quarter-before": [
      ["Revenue last quarter?", "And the quarter before?"],
      rows(`select sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -2)`),
    ],
    "board-split-that": [
      ["What did we lose to Tallowmark last year, in euros?", "split that by region"],
      rows(
        `select region as name, sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Tallowmark' and in_year(close_date, -1) group by 1`,
      ),
    ],
  }),
  ...questions("brief", "demo", {
    "board-oakrend-health": [
      "I'm meeting the CEO of Oakrend Health tomorrow. Fill me in.",
      tells(`select stage, amount, owner from d where client = 'Oakrend Health'`),
    ],
  }),
  ...questions("unanswerable", "demo", {
    "board-gross-margin": ["What was our gross margin last quarter?", refuses(["margin", "gross margin"])],
    "board-cac": ["CAC by region", refuses("CAC")],
    "board-share-price": ["how did our share price do this year", refuses(["share price", "price"])],
  }),
  ...questions("unanswerable", "crm", {
    "board-hottechi-employees": ["how many people does Hottechi employ?", refuses()],
  }),
]
