import { asksOf, introduces, questions, ranking, rows, says, tells } from "../question.ts"

/** The questions of a lead of customer success. */
export const success = [
  ...questions("greeting", "demo", {
    "success-what-else": [["win rate?", "what else can you tell me?"], introduces],
  }),
  ...questions("count", "demo", {
    "success-references": [
      "how many accounts may be named as a reference?",
      rows(
        `select count(distinct client) as clients from d where (account ->> 'reference_customer')::boolean`,
        `select count(*) as clients from clients where org_id = 'demo_quellaria' and (crm_properties ->> 'reference_customer')::boolean`,
      ),
    ],
  }),
  ...questions("sum", "demo", {
    "success-open-renewals": [
      "renewals still open: how much money is that?",
      rows(`select sum(amount) as amount from d where outcome = 'open' and type = 'Renewal'`),
    ],
  }),
  ...questions("rate", "demo", {
    "success-references-rate": [
      "Do we win more often with customers who act as a reference? win rate for those",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and (account ->> 'reference_customer')::boolean`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "success-lost-renewals": [
      "the three biggest renewals we lost last fiscal year",
      ranking(
        3,
        `select name, amount from d where outcome = 'lost' and type = 'Renewal' and in_year(close_date, -1) and amount is not null order by 2 desc limit 30`,
      ),
    ],
  }),
  ...questions("ranked", "crm", {
    "success-top-clients": [
      "Our most loyal customer: who has the most won deals?",
      ranking(
        1,
        `select client as name, count(*) as deals from d where outcome = 'won' and client is not null group by 1 order by 2 desc limit 40`,
      ),
    ],
  }),
  ...questions("average", "demo", {
    "success-average-expansion": [
      "how big is an expansion in manufacturing on average, if we win it",
      rows(
        `select avg(amount) as amount from d where outcome = 'won' and type = 'Expansion' and industry = 'Manufacturing'`,
      ),
    ],
  }),
  ...questions("compared", "demo", {
    "success-tiers": [
      "Strategic against Core accounts: revenue",
      rows(
        `select account ->> 'account_tier' as name, sum(amount) as amount from d where outcome = 'won' and account ->> 'account_tier' in ('Strategic', 'Core') group by 1`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "success-lost-renewals": [
      "lost renewals per quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, count(*) as deals from generate_series(-6, -1) n join d on outcome = 'lost' and type = 'Renewal' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "success-support-share": [
      "in what percentage of lost renewals was support quality a reason against us?",
      rows(
        `select avg((id in (select deal_id from drivers where not positive and reason = 'Support quality'))::int) as share from d where outcome = 'lost' and type = 'Renewal'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "success-renewals-faster": [
      "do renewals close faster than new business? average days for both",
      rows(
        `select type as name, avg(cycle) as days from d where outcome <> 'open' and type in ('Renewal', 'New business') group by 1`,
        `select type as name, avg(cycle) as days from d where outcome = 'won' and type in ('Renewal', 'New business') group by 1`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "success-renewal-fit": [
      "customer fit score of renewals we lost",
      rows(`select avg(customer_fit) as score from d where outcome = 'lost' and type = 'Renewal'`),
    ],
  }),
  ...questions("reasons", "demo", {
    "success-why-churn": [
      "why don't customers renew? top 3 reasons",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and type = 'Renewal' group by 1 order by 2 desc`,
      ),
    ],
    "success-support-praised": [
      "In how many deals was support quality a point in our favour?",
      rows(`select count(*) as deals from drivers where positive and reason = 'Support quality'`),
    ],
  }),
  ...questions("features", "demo", {
    "success-residency-renewals": [
      "how many renewals mention data residency choice?",
      rows(
        `select count(distinct deal_id) as deals from mentions join d on id = deal_id where feature = 'Data residency choice' and type = 'Renewal'`,
      ),
    ],
  }),
  ...questions("filters", "demo", {
    "success-hospitality-strategic": [
      "Strategic hospitality accounts with a lost deal, how many accounts",
      rows(
        `select count(distinct client) as clients from d where outcome = 'lost' and industry = 'Hospitality' and account ->> 'account_tier' = 'Strategic'`,
      ),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "success-fairnoll-schools": [
      "has the Fairnoll Schools deal closed yet?",
      asksOf(`select name from d where client = 'Fairnoll Schools'`),
    ],
  }),
  ...questions("brief", "demo", {
    "success-carvessa-market": [
      "Carvessa Market, account summary",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost, sum(amount) filter (where outcome = 'won') as revenue from d where client = 'Carvessa Market'`,
      ),
    ],
    "success-sarnwick": [
      "give me the story on Sarnwick Capital",
      tells(`select stage, amount, 'Portuguese' as obstacle from d where client = 'Sarnwick Capital'`),
    ],
    "success-fr-orvanta": [
      "Fais-moi un point sur Orvanta",
      tells(
        `select '$71' as price, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Orvanta'`,
      ),
      "fr",
    ],
  }),
  ...questions("brief", "crm", {
    "success-qbr-hottechi": [
      "prep me for the QBR with Hottechi",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost, sum(amount) filter (where outcome = 'won') as revenue from d where client = 'Hottechi'`,
      ),
    ],
  }),
  ...questions("documents", "demo", {
    "success-most-seats": [
      "which vendors ask for the highest minimum number of seats?",
      says("Nimbrel", "Sparrowdesk", "40 seats"),
    ],
  }),
  ...questions("library", "demo", {
    "success-birkhall-wish": [
      "what would Birkhall Freight have liked from us?",
      says("Birkhall Freight", "named contact"),
    ],
    "success-perrendale-words": ["What did Perrendale Mutual say decided it?", says("incumbent matched the offer")],
  }),
]
