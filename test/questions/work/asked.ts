import { asksOf, questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** Questions of leaders, product managers and reps, written to find words that an answer ignores without saying so. */
export const asked = [
  ...questions("count", "demo", {
    "asked-nimbrel-dach": [
      "How many opportunities did Nimbrel take from us in DACH last fiscal year?",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Nimbrel' and region = 'DACH' and in_year(close_date, -1)`,
      ),
    ],
    "asked-vandrell": [
      "How many deals do we have with Vandrell Kitchens?",
      rows(`select count(*) as deals from d where client = 'Vandrell Kitchens'`),
    ],
  }),
  ...questions("sum", "demo", {
    "asked-closing-large": [
      "how much pipeline closes this month and is above 100k",
      rows(
        `select sum(amount) as amount from d where outcome = 'open' and amount > 100000 and in_month(close_date, 0)`,
      ),
    ],
    "asked-without-renewals": [
      "revenue excluding renewals this year",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and type <> 'Renewal' and in_year(close_date, 0)`,
      ),
    ],
  }),
  ...questions("sum", "crm", {
    "asked-betasoloin": [
      "What did we sell to Betasoloin?",
      rows(`select sum(amount) as amount from d where outcome = 'won' and client = 'Betasoloin'`),
    ],
  }),
  ...questions("rate", "demo", {
    "asked-track-record": [
      "what's our track record against Sparrowdesk?",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Sparrowdesk'`,
      ),
    ],
    "asked-created-q1": [
      "What is the win rate of deals created in Q1?",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_numbered_quarter(created, 1)`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "asked-overdue-owner": [
      "who owns the most overdue deals?",
      ranking(1, `select owner as name, count(*) as deals from d where overdue group by 1 order by 2 desc`),
    ],
    "asked-lost-money": [
      "who lost the most money this quarter",
      ranking(
        1,
        `select owner as name, sum(amount) as amount from d where outcome = 'lost' and in_quarter(close_date, 0) group by 1 having sum(amount) is not null order by 2 desc`,
      ),
    ],
    "asked-outside-dach": [
      "Which product has the lowest win rate outside DACH?",
      ranking(
        1,
        `select label as name, avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and region <> 'DACH' group by 1 order by 2`,
      ),
    ],
  }),
  ...questions("ranked", "crm", {
    "asked-mg-special": [
      "who sold most MG Special in 2025",
      ranking(
        1,
        `select owner as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'MG Special' and close_date >= '2025-01-01' and close_date < '2026-01-01' group by 1 order by 2 desc limit 20`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "asked-quarter-over-quarter": [
      "revenue growth quarter over quarter this year",
      rows(
        `select quarter_name(close_date) as name, sum(amount) as amount from d where outcome = 'won' and in_year(close_date, 0) group by quarter_start(0), 1`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "asked-first-contact": [
      "Average days from first contact to signature for renewals",
      rows(`select avg(cycle) as days from d where outcome <> 'open' and type = 'Renewal'`),
    ],
  }),
  ...questions("score", "demo", {
    "asked-relationship-brixen": [
      "average relationship score when we lose to Brixen",
      rows(
        `select avg(relationship) as score from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Brixen Suite'`,
      ),
    ],
    "asked-worst-execution": [
      "which rep has the worst sales execution score",
      ranking(1, `select owner as name, avg(sales_execution) as score from d group by 1 order by 2`),
    ],
  }),
  ...questions("misspelt", "demo", {
    "asked-reporting": [
      "deals lost to Talowmark because of reporting",
      rows(
        `select count(*) as deals from d join rivals on rivals.deal_id = id join drivers on drivers.deal_id = id where outcome = 'lost' and competitor = 'Tallowmark' and reason = 'Reporting' and not positive`,
      ),
    ],
  }),
  ...questions("language", "demo", {
    "asked-mas-de-100": [
      "¿Cuántas oportunidades abiertas superan los 100.000?",
      rows(`select count(*) as deals from d where outcome = 'open' and amount > 100000`),
      "es",
    ],
    "asked-frente-a": [
      "¿Cuánto hemos perdido frente a Orvanta el último trimestre?",
      rows(
        `select sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Orvanta' and in_quarter(close_date, -1)`,
      ),
      "es",
    ],
    "asked-peor-region": [
      "¿Qué región tiene la peor tasa de éxito este año?",
      ranking(
        1,
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_year(close_date, 0) and region is not null group by 1 order by 2`,
      ),
      "es",
    ],
    "asked-hors-renouvellements": [
      "Quel est le taux de réussite hors renouvellements ?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type <> 'Renewal'`),
      "fr",
    ],
    "asked-dach-allein": [
      "Wie viele Deals haben wir in der DACH-Region ohne Wettbewerber gewonnen?",
      rows(
        `select count(*) as deals from d where outcome = 'won' and region = 'DACH' and id not in (select deal_id from rivals)`,
      ),
      "de",
    ],
  }),
  ...questions("brief", "demo", {
    "asked-abelund": [
      "Kannst du mich auf das Gespräch mit Abelund Credit vorbereiten?",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d where client = 'Abelund Credit'`,
      ),
      "de",
    ],
    "asked-caldrith": [
      "what should I know before I talk to Caldrith Hotels?",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d where client = 'Caldrith Hotels'`,
      ),
    ],
    "asked-lanmere": [
      "Prepare me for tomorrow's meeting at Lanmere Market.",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'open') as open from d where client = 'Lanmere Market'`,
      ),
    ],
  }),
  ...questions("documents", "demo", {
    "asked-notice": ["What is Orvanta's notice period?", says("180 days")],
    "asked-dublin": ["where does Sparrowdesk host its data", says("Dublin")],
  }),
  ...questions("ambiguous", "demo", {
    "asked-umberlow": [
      "brief me on Umberlow",
      asksOf(`select distinct client as name from d where client like 'Umberlow %'`),
    ],
  }),
  ...questions("unanswerable", "demo", {
    "asked-never-lost": ["Which reps have never lost to Orvanta?", refuses("never lost")],
    "asked-two-competitors": [
      "how many of our won deals had at least two competitors",
      refuses("at least two competitors"),
    ],
    "asked-share-of-top": ["Share of revenue from our top 10 customers", refuses("top 10")],
    "asked-forecast": ["what's the forecast for next quarter", refuses("forecast")],
    "asked-more-than-once": ["which customers have bought from us more than once?", refuses("once")],
    "asked-second": ["What is the second most common loss reason?", refuses("second")],
    "asked-outage": ["When was Calyptus One's last outage?", refuses("outage")],
    "asked-certifications": ["Which certifications does Nimbrel have?", refuses()],
    "asked-headquarters": ["Where is Orvanta headquartered?", refuses("headquartered")],
    "asked-contract-end": ["When does the contract of Stellmoor Freight end?", refuses("contract")],
    "asked-margin": ["what is our gross margin", refuses("margin")],
    "asked-reopened": ["which deals were reopened?", refuses("reopened")],
    "asked-deviation": ["standard deviation of deal size", refuses("standard deviation")],
  }),
  ...questions("unanswerable", "crm", {
    "asked-list-price": ["average price below list price per product", refuses()],
    "asked-east": ["how many won deals in the East office?", refuses("East office")],
  }),
]
