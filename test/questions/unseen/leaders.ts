import { questions, ranking, rows } from "../question.ts"

/** The questions of a head of sales. */
export const leaders = [
  ...questions("count", "demo", {
    "leaders-signed-this-month": [
      "signatures this month so far",
      rows(
        `select count(*) as deals from d where outcome = 'won' and in_month(close_date, 0) and close_date <= today()`,
      ),
    ],
    "leaders-customers-lost": [
      "number of different customers that turned us down in the last 90 days",
      rows(`select count(distinct client) as clients from d where outcome = 'lost' and last_days(close_date, 90)`),
    ],
    "leaders-in-negotiation": [
      "what sits in Negotiation over 100k right now, just the count",
      rows(`select count(*) as deals from d where stage = 'Negotiation' and amount > 100000`),
    ],
  }),
  ...questions("sum", "demo", {
    "leaders-commit-nordics": [
      "Commit for the Nordics in euros?",
      rows(
        `select sum(amount) as amount from d where region = 'Nordics' and crm ->> 'forecast_category' = 'Commit'`,
        `select sum(amount) as amount from d where region = 'Nordics' and outcome = 'open' and crm ->> 'forecast_category' = 'Commit'`,
      ),
    ],
    "leaders-due-next-month": [
      "amount of open business that should close next month",
      rows(`select sum(amount) as amount from d where outcome = 'open' and in_month(close_date, 1)`),
    ],
    "leaders-partner-sourced": [
      "How much did partner-sourced deals bring us since the start of the year?",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and crm ->> 'lead_source' = 'Partner' and ytd(close_date)`,
      ),
    ],
  }),
  ...questions("sum", "crm", {
    "leaders-two-products": [
      "GTXPro and MG Advanced together, won revenue in May 2025",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-05-01' and close_date < '2025-06-01' and id in (select deal_id from labels where label in ('GTXPro', 'MG Advanced'))`,
      ),
    ],
  }),
  ...questions("average", "demo", {
    "leaders-median-loss": [
      "what's the median value of a lost deal in manufacturing",
      rows(
        `select percentile_cont(0.5) within group (order by amount) as amount from d where outcome = 'lost' and industry = 'Manufacturing'`,
      ),
    ],
  }),
  ...questions("average", "crm", {
    "leaders-ticket-retail": [
      "average ticket, retail, won, Q2 2025",
      rows(
        `select avg(amount) as amount from d where outcome = 'won' and industry = 'retail' and close_date >= '2025-04-01' and close_date < '2025-07-01'`,
      ),
    ],
  }),
  ...questions("rate", "demo", {
    "leaders-referrals": [
      "out of ten referral deals that get decided, how many do we win? give me the rate",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and crm ->> 'lead_source' = 'Referral'`,
      ),
    ],
    "leaders-small": [
      "conversion on deals below 20k",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and amount < 20000`),
    ],
    "leaders-loss-rate-energy": [
      "loss rate, energy sector, last fiscal year",
      rows(
        `select avg((outcome = 'lost')::int) as rate from d where outcome <> 'open' and industry = 'Energy' and in_year(close_date, -1)`,
      ),
    ],
  }),
  ...questions("rate", "crm", {
    "leaders-darcel": [
      "Darcel Schlecht's success rate on GTX Plus Basic",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and owner = 'Darcel Schlecht' and label = 'GTX Plus Basic'`,
      ),
    ],
  }),
  ...questions("grouped", "demo", {
    "leaders-stage-ladder": [
      "show me the funnel: open deals and money per stage",
      rows(`select stage as name, count(*) as deals, sum(amount) as amount from d where outcome = 'open' group by 1`),
    ],
    "leaders-source-rate": [
      "success rate for each lead source",
      rows(
        `select crm ->> 'lead_source' as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1`,
      ),
    ],
    "leaders-tier-open": [
      "open amount per account tier",
      rows(`select account ->> 'account_tier' as name, sum(amount) as amount from d where outcome = 'open' group by 1`),
    ],
  }),
  ...questions("grouped", "crm", {
    "leaders-revenue-industry": [
      "H1 2025 revenue broken out by industry",
      rows(
        `select industry as name, sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2025-07-01' and industry is not null group by 1 order by 2 desc limit 10`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "leaders-who-closed-most": [
      "Who closed the most money last quarter? top five reps",
      ranking(
        5,
        `select owner as name, sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "leaders-weakest-industry": [
      "in which industry are we weakest by win rate?",
      ranking(
        1,
        `select industry as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
    "leaders-biggest-ever": [
      "our single largest win, ever",
      ranking(1, `select name, amount from d where outcome = 'won' and amount is not null order by 2 desc limit 20`),
    ],
  }),
  ...questions("ranked", "crm", {
    "leaders-bottom-three": [
      "bottom 3 sellers by win rate",
      ranking(
        3,
        `select owner as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
    "leaders-biggest-accounts": [
      "five accounts that brought in the most in 2025",
      ranking(
        5,
        `select client as name, sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-01-01' and close_date < '2026-01-01' and client is not null group by 1 order by 2 desc limit 40`,
      ),
    ],
  }),
  ...questions("compared", "demo", {
    "leaders-dach-nordics": [
      "how does DACH stack up against the Nordics on win rate?",
      rows(
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and region in ('DACH', 'Nordics') group by 1`,
      ),
    ],
    "leaders-this-last-quarter-created": [
      "Did we create more deals last month than the month before?",
      rows(
        `select month_name(month_start(n)) || case n when -1 then '|last month' else '|month before' end as name, count(*) as deals from generate_series(-2, -1) n join d on in_month(created, n) group by n`,
      ),
    ],
    "leaders-inbound-outbound": [
      "inbound vs outbound, average size of what we won",
      rows(
        `select crm ->> 'lead_source' as name, avg(amount) as amount from d where outcome = 'won' and crm ->> 'lead_source' in ('Inbound', 'Outbound') group by 1`,
      ),
    ],
  }),
  ...questions("compared", "crm", {
    "leaders-march-april": [
      "revenue in March 2025 compared with April 2025",
      rows(
        `select month_name(date_trunc('month', close_date)::date) as name, sum(amount) as amount from d where outcome = 'won' and close_date >= '2025-03-01' and close_date < '2025-05-01' group by date_trunc('month', close_date)`,
      ),
    ],
  }),
]
