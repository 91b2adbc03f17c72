import { questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** The questions of a regional lead and an investor. */
export const investors = [
  ...questions("trend", "demo", {
    "leaders-win-rate-moving": [
      "is our win rate in DACH going up or down? by quarter please",
      rows(
        `select quarter_name(quarter_start(n)) as name, avg((outcome = 'won')::int) as rate from generate_series(-6, -1) n join d on outcome <> 'open' and region = 'DACH' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
    "leaders-new-deals-monthly": [
      "deals created per month, last six months",
      rows(
        `select month_name(month_start(n)) as name, count(*) as deals from generate_series(-6, -1) n join d on in_month(created, n) group by n order by n`,
        `select month_name(month_start(n)) as name, count(*) as deals from generate_series(-5, 0) n join d on in_month(created, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "leaders-top-region-share": [
      "how much of our open pipeline is North America, in percent of value?",
      rows(
        `select sum(amount) filter (where region = 'North America') / sum(amount) as share from d where outcome = 'open'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "leaders-cycle-by-region": [
      "typical days to close per region for deals we won",
      rows(
        `select region as name, avg(cycle) as days from d where outcome = 'won' group by 1`,
        `select region as name, percentile_cont(0.5) within group (order by cycle) as days from d where outcome = 'won' group by 1`,
      ),
    ],
  }),
  ...questions("cycle", "crm", {
    "leaders-fastest-seller": [
      "which rep closes fastest on average?",
      ranking(
        1,
        `select owner as name, avg(cycle) as days from d where outcome <> 'open' group by 1 order by 2`,
        `select owner as name, avg(cycle) as days from d where outcome = 'won' group by 1 order by 2`,
        `select owner as name, percentile_cont(0.5) within group (order by cycle) as days from d where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
  }),
  ...questions("age", "demo", {
    "leaders-stale-half-year": [
      "how many open deals are older than half a year",
      rows(
        `select count(*) as deals from d where outcome = 'open' and age > 180`,
        `select count(*) as deals from d where outcome = 'open' and age > 182`,
        `select count(*) as deals from d where outcome = 'open' and age > 183`,
        `select count(*) as deals from d where outcome = 'open' and created < today() - interval '6 months'`,
      ),
    ],
    "leaders-slipped-by-owner": [
      "past-due open deals by rep",
      rows(`select owner as name, count(*) as deals from d where overdue group by 1`),
    ],
  }),
  ...questions("follow-up", "demo", {
    "leaders-swap-region": [
      ["How much did we win in DACH last quarter?", "same for Southern Europe"],
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and region = 'Southern Europe' and in_quarter(close_date, -1)`,
      ),
    ],
    "leaders-only-large": [
      ["win rate against Tallowmark", "only the ones above 50k"],
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Tallowmark' and amount > 50000`,
      ),
    ],
    "leaders-now-by-owner": [
      ["lost amount last quarter", "who lost it?"],
      ranking(
        3,
        `select owner as name, sum(amount) as amount from d where outcome = 'lost' and in_quarter(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("follow-up", "crm", {
    "leaders-and-in-june": [
      ["How many deals did we win in May 2025?", "and in June?"],
      rows(
        `select count(*) as deals from d where outcome = 'won' and close_date >= '2025-06-01' and close_date < '2025-07-01'`,
      ),
    ],
    "leaders-what-about-anna": [
      ["Vicki Laflamme's revenue in July 2025", "what about Anna Snelling?", "and in March?"],
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and owner = 'Anna Snelling' and close_date >= '2025-03-01' and close_date < '2025-04-01'`,
      ),
    ],
  }),
  ...questions("language", "demo", {
    "leaders-de-quote": [
      "Wie hoch ist unsere Abschlussquote in der Logistik?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry = 'Logistics'`),
      "de",
    ],
    "leaders-de-verloren-quartal": [
      "Was haben wir letztes Quartal an Tallowmark verloren, in Euro?",
      rows(
        `select sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Tallowmark' and in_quarter(close_date, -1)`,
      ),
      "de",
    ],
    "leaders-es-regiones": [
      "¿Cuánto ganamos en cada región el trimestre pasado?",
      rows(
        `select region as name, sum(amount) as amount from d where outcome = 'won' and in_quarter(close_date, -1) group by 1`,
        `select region as name, count(*) as deals from d where outcome = 'won' and in_quarter(close_date, -1) group by 1`,
      ),
      "es",
    ],
    "leaders-fr-affaires-ouvertes": [
      "combien d'affaires ouvertes dans l'éducation ?",
      rows(`select count(*) as deals from d where outcome = 'open' and industry = 'Education'`),
      "fr",
    ],
    "leaders-de-follow": [
      ["Umsatz letztes Quartal?", "und in den Nordics?"],
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and region = 'Nordics' and in_quarter(close_date, -1)`,
      ),
      "de",
    ],
  }),
  ...questions("brief", "demo", {
    "leaders-account-review": [
      "I have a review with Kelbrook Hotels at three, what do I need to know",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost, sum(amount) filter (where outcome = 'won') as revenue from d where client = 'Kelbrook Hotels'`,
      ),
    ],
  }),
  ...questions("documents", "demo", {
    "leaders-expensive": ["who is the most expensive competitor per seat?", says("Orvanta", "$71")],
  }),
  ...questions("unanswerable", "demo", {
    "leaders-headcount": ["How many account executives should I hire next year?", refuses()],
    "leaders-churn-risk": ["what is the churn of Ledger customers", refuses("churn")],
    "leaders-benelux": ["win rate in Benelux", refuses("Benelux", ["DACH", "Nordics"])],
  }),
  ...questions("unanswerable", "crm", {
    "leaders-commission": ["commission paid to Zane Levy last year", refuses("commission")],
  }),
]
