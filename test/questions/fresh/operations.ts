import { asks, questions, ranking, refuses, rows } from "../question.ts"

/** The questions of an analyst of revenue operations. */
export const operations = [
  ...questions("count", "demo", {
    "ops-open-unopposed": [
      "open opps w/o any competitor logged",
      rows(`select count(*) as deals from d where outcome = 'open' and id not in (select deal_id from rivals)`),
    ],
    "ops-created-last-quarter": [
      "# opps created last qtr",
      rows(`select count(*) as deals from d where in_quarter(created, -1)`),
    ],
    "ops-wins-and-worth": [
      "How many deals did we win in APAC, and what were they worth?",
      rows(`select count(*) as deals, sum(amount) as amount from d where outcome = 'won' and region = 'APAC'`),
    ],
  }),
  ...questions("count", "crm", {
    "ops-march-april": [
      "lost opportunities between 1 March and 30 April 2025",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and close_date >= '2025-03-01' and close_date < '2025-05-01'`,
      ),
    ],
  }),
  ...questions("sum", "demo", {
    "ops-inbound-pipeline": [
      "open pipeline from inbound leads",
      rows(`select sum(amount) as amount from d where outcome = 'open' and crm ->> 'lead_source' = 'Inbound'`),
    ],
  }),
  ...questions("sum", "crm", {
    "ops-hottechi": [
      "total $ closed with Hottechi",
      rows(`select sum(amount) as amount from d where outcome = 'won' and client = 'Hottechi'`),
    ],
  }),
  ...questions("average", "demo", {
    "ops-probability": [
      "average probability of our open deals",
      rows(
        `select avg((crm ->> 'probability')::float) as probability from d where outcome = 'open'`,
        `select avg((crm ->> 'probability')::float) / 100 as rate from d where outcome = 'open'`,
      ),
    ],
    "ops-average-open-strategic": [
      "Avg. open deal amount, Strategic tier accounts only",
      rows(`select avg(amount) as amount from d where outcome = 'open' and account ->> 'account_tier' = 'Strategic'`),
    ],
  }),
  ...questions("average", "crm", {
    "ops-median-gtxpro": [
      "median closed-won value GTXPro",
      rows(
        `select percentile_cont(0.5) within group (order by amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'GTXPro'`,
      ),
    ],
  }),
  ...questions("rate", "demo", {
    "ops-partner-leads": [
      "conversion of partner-sourced deals",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and crm ->> 'lead_source' = 'Partner'`,
      ),
    ],
    "ops-above-200k": [
      "win rate on deals over 200k",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and amount > 200000`),
    ],
  }),
  ...questions("rate", "crm", {
    "ops-loss-rate-marketing": [
      "loss rate among marketing companies",
      rows(`select avg((outcome = 'lost')::int) as rate from d where outcome <> 'open' and industry = 'marketing'`),
    ],
  }),
  ...questions("grouped", "demo", {
    "ops-rate-by-source": [
      "win rate by lead source",
      rows(
        `select crm ->> 'lead_source' as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1`,
      ),
    ],
    "ops-deals-by-tier": [
      "number of won deals broken down by account tier",
      rows(`select account ->> 'account_tier' as name, count(*) as deals from d where outcome = 'won' group by 1`),
    ],
  }),
  ...questions("grouped", "crm", {
    "ops-open-by-stage": [
      "count open opportunities in each stage",
      rows(`select stage as name, count(*) as deals from d where outcome = 'open' group by 1`),
    ],
  }),
  ...questions("ranked", "demo", {
    "ops-most-open": [
      "rep with most open opps?",
      ranking(1, `select owner as name, count(*) as deals from d where outcome = 'open' group by 1 order by 2 desc`),
    ],
    "ops-bottom-three": [
      "bottom 3 reps by win rate",
      ranking(
        3,
        `select owner as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
  }),
  ...questions("ranked", "crm", {
    "ops-top-agents": [
      "who closed the most deals in Q3 2025? give me five names",
      ranking(
        5,
        `select owner as name, count(*) as deals from d where outcome = 'won' and close_date >= '2025-07-01' and close_date < '2025-10-01' group by 1 order by 2 desc`,
        `select owner as name, count(*) as deals from d where outcome <> 'open' and close_date >= '2025-07-01' and close_date < '2025-10-01' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("compared", "demo", {
    "ops-inbound-outbound": [
      "inbound vs outbound, win rate",
      rows(
        `select crm ->> 'lead_source' as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and crm ->> 'lead_source' in ('Inbound', 'Outbound') group by 1`,
      ),
    ],
  }),
  ...questions("compared", "crm", {
    "ops-anna-cassey": [
      "Anna Snelling or Cassey Cress – who closed more deals?",
      rows(
        `select owner as name, count(*) as deals from d where outcome = 'won' and owner in ('Anna Snelling', 'Cassey Cress') group by 1`,
        `select owner as name, count(*) as deals from d where outcome <> 'open' and owner in ('Anna Snelling', 'Cassey Cress') group by 1`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "ops-created-monthly": [
      "opps created per month over the last six months",
      rows(
        `select month_name(month_start(n)) as name, count(*) as deals from generate_series(-5, -1) n join d on in_month(created, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("trend", "crm", {
    "ops-gtx-basic-losses": [
      "GTX Basic: lost deals per month in 2025",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, count(*) as deals from d join labels on deal_id = id where outcome = 'lost' and label = 'GTX Basic' and close_date >= '2025-01-01' group by date_trunc('month', close_date) order by date_trunc('month', close_date)`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "ops-north-america-pipeline": [
      "what percent of the open pipeline sits in North America?",
      rows(
        `select sum(amount) filter (where region = 'North America') / sum(amount) as share from d where outcome = 'open'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "ops-cycle-by-source": [
      "avg days to close by lead source",
      rows(
        `select crm ->> 'lead_source' as name, avg(cycle) as days from d where outcome <> 'open' group by 1`,
        `select crm ->> 'lead_source' as name, avg(cycle) as days from d where outcome = 'won' group by 1`,
      ),
    ],
  }),
  ...questions("cycle", "crm", {
    "ops-median-gtk": [
      "GTK 500: median sales cycle",
      rows(
        `select percentile_cont(0.5) within group (order by cycle) as days from d join labels on deal_id = id where outcome <> 'open' and label = 'GTK 500'`,
        `select percentile_cont(0.5) within group (order by cycle) as days from d join labels on deal_id = id where outcome = 'won' and label = 'GTK 500'`,
      ),
    ],
  }),
  ...questions("age", "demo", {
    "ops-older-than-year": [
      "open opps > 1 year old",
      rows(`select count(*) as deals from d where outcome = 'open' and age > 365`),
    ],
    "ops-age-by-stage": [
      "mean age of open deals per stage",
      rows(`select stage as name, avg(age) as days from d where outcome = 'open' group by 1`),
    ],
    "ops-due-30-days": [
      "How many open deals are due in the next 30 days?",
      rows(
        `select count(*) as deals from d where outcome = 'open' and close_date >= today() and close_date <= today() + 30`,
        `select count(*) as deals from d where outcome = 'open' and close_date >= today() and close_date < today() + 30`,
        `select count(*) as deals from d where outcome = 'open' and close_date > today() and close_date <= today() + 30`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "ops-strong-relationship": [
      "how many won deals have a relationship score of 4.5 or more",
      rows(`select count(*) as deals from d where outcome = 'won' and relationship >= 4.5`),
    ],
  }),
  ...questions("filters", "demo", {
    "ops-best-case-above-50k": [
      "best case deals above 50k owned by Dmitri Tanaka, total amount",
      rows(
        `select sum(amount) as amount from d where outcome = 'open' and crm ->> 'forecast_category' = 'Best case' and amount > 50000 and owner = 'Dmitri Tanaka'`,
      ),
    ],
    "ops-two-regions": [
      "count of open renewals in DACH or the Nordics",
      rows(
        `select count(*) as deals from d where outcome = 'open' and type = 'Renewal' and region in ('DACH', 'Nordics')`,
      ),
    ],
  }),
  ...questions("filters", "crm", {
    "ops-not-retail": [
      "revenue excluding retail",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and industry <> 'retail'`,
        `select sum(amount) as amount from d where outcome = 'won' and industry is distinct from 'retail'`,
      ),
    ],
  }),
  ...questions("follow-up", "crm", {
    "ops-and-value": [
      ["how many deals did we win in May 2025?", "worth how much?", "and in June?"],
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-06-01' and close_date < '2025-07-01'`,
      ),
    ],
  }),
  ...questions("misspelt", "crm", {
    "ops-technology": [
      "win rate technology",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry = 'technolgy'`),
    ],
    "ops-daniel-hamack": [
      "total revnue daniel hamack",
      rows(`select sum(amount) as amount from d where outcome = 'won' and owner = 'Daniell Hammack'`),
    ],
  }),
  ...questions("ambiguous", "crm", {
    "ops-scot": ["how many deals did we win with Scot", asks("Scotfind", "Scottech")],
  }),
  ...questions("unanswerable", "demo", {
    "ops-coverage": ["pipeline coverage vs target?", refuses(["coverage", "target"])],
  }),
  ...questions("unanswerable", "crm", {
    "ops-central-office": ["revenue of the Central office", refuses(["Central", "office", "Central office"])],
  }),
]
