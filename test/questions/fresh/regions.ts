import { asksOf, questions, ranking, refuses, rows, says } from "../question.ts"

/** The questions of a regional sales director. */
export const regions = [
  ...questions("count", "demo", {
    "region-dach-q2": [
      "deals won dach q2",
      rows(
        `select count(*) as deals from d where outcome = 'won' and region = 'DACH' and in_numbered_quarter(close_date, 2)`,
      ),
    ],
  }),
  ...questions("sum", "demo", {
    "region-nordics-negotiation": [
      "what have we got in negotiation up in the Nordics, money-wise?",
      rows(`select sum(amount) as amount from d where stage = 'Negotiation' and region = 'Nordics'`),
    ],
    "region-southern-last-year": [
      "Southern Europe revenue last fiscal year",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and region = 'Southern Europe' and in_year(close_date, -1)`,
      ),
    ],
  }),
  ...questions("average", "demo", {
    "region-average-lost-uk": [
      "average size of the deals that got away in UK and Ireland",
      rows(`select avg(amount) as amount from d where outcome = 'lost' and region = 'UK and Ireland'`),
    ],
  }),
  ...questions("rate", "demo", {
    "region-nordics-expansions": [
      "expansion win rate nordics",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type = 'Expansion' and region = 'Nordics'`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "region-best-region": [
      "Where do we win most often? Best region by win rate",
      ranking(
        1,
        `select region as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
    "region-top-dach-reps": [
      "top two reps in DACH by bookings",
      ranking(
        2,
        `select owner as name, sum(amount) as amount from d where outcome = 'won' and region = 'DACH' group by 1 order by 2 desc nulls last`,
      ),
    ],
  }),
  ...questions("grouped", "demo", {
    "region-overdue-by-region": [
      "Overdue amount, region by region",
      rows(`select region as name, sum(amount) as amount from d where overdue group by 1`),
    ],
  }),
  ...questions("compared", "demo", {
    "region-dach-nordics-size": [
      "are won deals bigger in DACH or in the Nordics, on average?",
      rows(
        `select region as name, avg(amount) as amount from d where outcome = 'won' and region in ('DACH', 'Nordics') group by 1`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "region-apac-rate": [
      "How has APAC's win rate moved, quarter over quarter?",
      rows(
        `select quarter_name(quarter_start(n)) as name, avg((outcome = 'won')::int) as rate from generate_series(-5, -1) n join d on outcome <> 'open' and region = 'APAC' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "region-share-of-losses": [
      "every region's share of lost deals",
      rows(
        `select region as name, count(*)::float / sum(count(*)) over () as share from d where outcome = 'lost' group by 1`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "region-slowest": [
      "slowest region to close?",
      ranking(
        1,
        `select region as name, avg(cycle) as days from d where outcome <> 'open' group by 1 order by 2 desc`,
        `select region as name, avg(cycle) as days from d where outcome = 'won' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("age", "demo", {
    "region-overdue-nordics": [
      "Nordics: which overdue deal is the biggest?",
      ranking(
        1,
        `select name, amount from d where overdue and region = 'Nordics' and amount is not null order by 2 desc limit 20`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "region-champion": [
      "champion strength by region",
      rows(
        `select region as name, avg((metrics -> 'champion_strength' ->> 'score')::float) as score from d group by 1`,
      ),
    ],
  }),
  ...questions("reasons", "demo", {
    "region-why-lose-dach": [
      "biggest reasons we lose in DACH",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and region = 'DACH' group by 1 order by 2 desc`,
      ),
    ],
    "region-sponsor-nordics": [
      "Nordics losses where the executive sponsor was the problem, how many?",
      rows(
        `select count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and reason = 'Executive sponsor' and region = 'Nordics'`,
      ),
    ],
  }),
  ...questions("follow-up", "demo", {
    "region-open-there": [
      ["Which region has the lowest win rate?", "how many deals are open there?"],
      rows(
        `select count(*) as deals from d where outcome = 'open' and region = (select region from d where outcome <> 'open' group by 1 order by avg((outcome = 'won')::int) limit 1)`,
      ),
    ],
    "region-why-win-there": [
      ["why do we lose in the Nordics?", "and why do we win there?"],
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive and region = 'Nordics' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("misspelt", "demo", {
    "region-souther-europ": [
      "open deals souther europ",
      rows(`select count(*) as deals from d where outcome = 'open' and region = 'Southern Europe'`),
    ],
    "region-castelano": [
      "Goran Castelano bookings",
      rows(`select sum(amount) as amount from d where outcome = 'won' and owner = 'Goran Castellano'`),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "region-perrendale": [
      "what's in the pipeline with Perrendale",
      asksOf(`select distinct client as name from d where client like 'Perrendale %'`),
    ],
  }),
  ...questions("documents", "demo", {
    "region-shortest-notice": ["which competitor has the shortest notice period", says("Brixen Suite", "60 days")],
    "region-fastest-support": ["Whose support replies fastest?", says("Orvanta", "6 hours")],
  }),
  ...questions("library", "demo", {
    "region-lead-against-nimbrel": ["what should we lead with against Nimbrel?", says("Audit trail")],
    "region-abelund-deadline": ["by when must Abelund Credit decide", says("Abelund Credit", "7 weeks")],
  }),
  ...questions("unanswerable", "demo", {
    "region-quota": ["how far is DACH from its quota this quarter?", refuses("quota")],
  }),
]
