import { asksOf, questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** The questions of a manager of competitive intelligence. */
export const competition = [
  ...questions("count", "demo", {
    "rivals-sparrowdesk-incumbent": [
      "deals where Sparrowdesk is the incumbent",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where competitor = 'Sparrowdesk' and is_incumbent`,
      ),
    ],
    "rivals-live-orvanta": [
      "how many live opps have Orvanta in them?",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'open' and competitor = 'Orvanta'`,
      ),
    ],
    "rivals-nobody-else": [
      "in how many deals did we have no competitor at all",
      rows(`select count(*) as deals from d where id not in (select deal_id from rivals)`),
    ],
  }),
  ...questions("rate", "demo", {
    "rivals-tallowmark-dach": [
      "how often do we beat Tallowmark in DACH, in percent",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Tallowmark' and region = 'DACH'`,
      ),
    ],
    "rivals-unopposed": [
      "win rate when nobody competes with us",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and id not in (select deal_id from rivals)`,
      ),
    ],
    "rivals-calyptus-incumbent": [
      "hit rate where Calyptus One is the incumbent",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Calyptus One' and is_incumbent`,
      ),
    ],
  }),
  ...questions("grouped", "demo", {
    "rivals-open-by-competitor": [
      "for every competitor, the open amount they are in",
      rows(
        `select competitor as name, sum(amount) as amount from d join rivals on deal_id = id where outcome = 'open' group by 1`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "rivals-eating-our-lunch": [
      "who's eating our lunch",
      ranking(
        1,
        `select competitor as name, count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' group by 1 order by 2 desc`,
        `select competitor as name, sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' group by 1 order by 2 desc`,
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1 order by 2`,
      ),
    ],
    "rivals-by-lost-money": [
      "Rank the competition by money lost to them last fiscal year",
      ranking(
        6,
        `select competitor as name, sum(amount) as amount from d join rivals on deal_id = id where outcome = 'lost' and in_year(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "rivals-easiest": [
      "which competitor is the easiest to beat?",
      ranking(
        1,
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("compared", "demo", {
    "rivals-orvanta-or-nimbrel": [
      "Orvanta or Nimbrel – whom do we lose more deals to?",
      rows(
        `select competitor as name, count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor in ('Orvanta', 'Nimbrel') group by 1`,
      ),
    ],
    "rivals-with-and-without": [
      "our win rate with and without Brixen Suite in the deal",
      rows(
        `select case when exists (select from rivals where deal_id = id and competitor = 'Brixen Suite') then 'with|Brixen Suite|yes' else 'without|no|not' end as name, avg((outcome = 'won')::int) as rate from d where outcome <> 'open' group by 1`,
      ),
    ],
  }),
  ...questions("trend", "demo", {
    "rivals-sparrowdesk-losses": [
      "losses to Sparrowdesk quarter by quarter",
      rows(
        `select quarter_name(quarter_start(n)) as name, count(*) as deals from generate_series(-6, -1) n join (d join rivals on deal_id = id and competitor = 'Sparrowdesk') on outcome = 'lost' and in_quarter(close_date, n) group by n order by n`,
      ),
    ],
  }),
  ...questions("share", "demo", {
    "rivals-nimbrel-in-losses": [
      "in what share of our lost deals was Nimbrel present?",
      rows(
        `select avg((id in (select deal_id from rivals where competitor = 'Nimbrel'))::int) as share from d where outcome = 'lost'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "rivals-cycle-by-competitor": [
      "average sales cycle for each competitor we meet",
      rows(
        `select competitor as name, avg(cycle) as days from d join rivals on deal_id = id where outcome <> 'open' group by 1`,
        `select competitor as name, avg(cycle) as days from d join rivals on deal_id = id where outcome = 'won' group by 1`,
      ),
    ],
  }),
  ...questions("score", "demo", {
    "rivals-price-sensitivity": [
      "is price sensitivity higher when Tallowmark is involved? average score please",
      rows(`select avg(price_sensitivity) as score from d join rivals on deal_id = id where competitor = 'Tallowmark'`),
    ],
  }),
  ...questions("reasons", "demo", {
    "rivals-against-us-sparrowdesk": [
      "What do buyers hold against us in the deals Sparrowdesk takes?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'lost' and not positive and competitor = 'Sparrowdesk' group by 1 order by 2 desc`,
      ),
    ],
    "rivals-why-we-beat-nimbrel": [
      "why do we beat Nimbrel?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'won' and positive and competitor = 'Nimbrel' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("features", "demo", {
    "rivals-features-orvanta": [
      "top 3 features that come up when we face Orvanta",
      ranking(
        3,
        `select feature as name, count(*) as mentions from mentions join rivals using (deal_id) where competitor = 'Orvanta' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("filters", "demo", {
    "rivals-tallowmark-without-orvanta": [
      "won deals with Tallowmark but without Orvanta",
      rows(
        `select count(*) as deals from d where outcome = 'won' and id in (select deal_id from rivals where competitor = 'Tallowmark') and id not in (select deal_id from rivals where competitor = 'Orvanta')`,
      ),
    ],
  }),
  ...questions("follow-up", "demo", {
    "rivals-why-them": [
      ["how many deals did we lose to Calyptus One?", "why?"],
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'lost' and not positive and competitor = 'Calyptus One' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("misspelt", "demo", {
    "rivals-sparodesk": [
      "losses to Sparodesk",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Sparrowdesk'`,
      ),
    ],
    "rivals-brixn-suit": [
      "whats our winrate vs brixn suite",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Brixen Suite'`,
      ),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "rivals-lost-oakrend": [
      "Did we beat anyone at Oakrend?",
      asksOf(`select distinct client as name from d where client like 'Oakrend %'`),
    ],
  }),
  ...questions("brief", "demo", {
    "rivals-sparrowdesk-page": [
      "Everything we have on Sparrowdesk, on one page",
      tells(
        `select '$48' as price, 'forecast view' as weak, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Sparrowdesk'`,
      ),
    ],
    "rivals-calyptus-background": [
      "background on calyptus one",
      tells(
        `select 'Lisbon' as office, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Calyptus One'`,
      ),
    ],
  }),
  ...questions("documents", "demo", {
    "rivals-notice-periods": [
      "line up the notice periods of all our rivals",
      says("60 days", "90 days", "180 days", "120 days"),
    ],
    "rivals-no-open-api": ["which rival doesn't have an open API?", says("Nimbrel")],
    "rivals-price-increases": ["Which competitors announced price increases?", says("Brixen Suite", "Tallowmark")],
  }),
  ...questions("library", "demo", {
    "rivals-certificate": ["what is Sparrowdesk certified to?", says("Sparrowdesk", "SOC 2 Type I")],
    "rivals-oldest-plan": [
      "what happens to customers on Brixen Suite's oldest plan?",
      says(["must move to the new one", "fewer integrations"]),
    ],
    "rivals-support-news": ["any news about the support team of Calyptus One?", says("Manila")],
    "rivals-highest-plan": ["what does Orvanta only include in its highest plan", says("Orvanta", "Barcode scanning")],
  }),
  ...questions("unanswerable", "demo", {
    "rivals-salesforce": ["win rate against Salesforce", refuses("Salesforce")],
    "rivals-funding": ["how much funding did Nimbrel raise?", refuses()],
    "rivals-calyptus-price": ["What does Calyptus One charge per seat?", refuses()],
  }),
]
