import { asksOf, questions, ranking, rows, says, tells } from "../question.ts"

/** The hurried questions of an account executive with the customer on the phone. */
export const phone = [
  ...questions("count", "demo", {
    "phone-my-open": [
      "Chiara's open deals, how many",
      rows(`select count(*) as deals from d where outcome = 'open' and owner = 'Chiara Okonjo'`),
    ],
  }),
  ...questions("average", "demo", {
    "phone-typical-renewal": [
      "what does a renewal usually go for? only ones we won",
      rows(
        `select avg(amount) as amount from d where outcome = 'won' and type = 'Renewal'`,
        `select percentile_cont(0.5) within group (order by amount) as amount from d where outcome = 'won' and type = 'Renewal'`,
      ),
    ],
  }),
  ...questions("ranked", "demo", {
    "phone-five-closing": [
      "my 5 biggest open deals – Keiko Fontaine",
      ranking(
        5,
        `select name, amount from d where outcome = 'open' and owner = 'Keiko Fontaine' and amount is not null order by 2 desc limit 40`,
      ),
    ],
  }),
  ...questions("age", "demo", {
    "phone-oldest-lars": [
      "Lars Eriksdotter: oldest open deal?",
      ranking(
        1,
        `select name, age as days from d where outcome = 'open' and owner = 'Lars Eriksdotter' order by 2 desc limit 20`,
      ),
    ],
    "phone-age-ledger": [
      "how long have the open Ledger deals been around on avg",
      rows(
        `select avg(age) as days from d join labels on deal_id = id where outcome = 'open' and label = 'Quellaria Ledger'`,
      ),
    ],
  }),
  ...questions("cycle", "demo", {
    "phone-quickest-win": [
      "quickest deal we ever won",
      ranking(1, `select name, cycle as days from d where outcome = 'won' order by 2 limit 40`),
    ],
  }),
  ...questions("score", "demo", {
    "phone-relationship-carvessa": [
      "avg relationship score w/ Carvessa Market",
      rows(`select avg(relationship) as score from d where client = 'Carvessa Market'`),
    ],
  }),
  ...questions("reasons", "demo", {
    "phone-why-umberlow": [
      "why did we lose Umberlow Learning?",
      rows(
        `select reason || '|audit report' as name from d join drivers on deal_id = id where client = 'Umberlow Learning' and not positive`,
      ),
    ],
    "phone-energy-buyers": [
      "what convinces energy companies to buy from us? top 2",
      ranking(
        2,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive and industry = 'Energy' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("features", "demo", {
    "phone-stellmoor-care": [
      "which feature did Stellmoor Care ask about",
      rows(`select feature as name from mentions join d on id = deal_id where client = 'Stellmoor Care'`),
    ],
    "phone-offline-liked": [
      "did people like offline mode? good vs bad mentions",
      rows(
        `select count(*) filter (where sentiment) as positive, count(*) filter (where not sentiment) as negative from mentions where feature = 'Offline mode'`,
      ),
    ],
    "phone-api-wins": [
      "how many wins mention the open API",
      rows(
        `select count(*) as deals from mentions join d on id = deal_id where outcome = 'won' and feature = 'Open API'`,
      ),
    ],
  }),
  ...questions("filters", "demo", {
    "phone-security-review-open": [
      "open deals of Nadir Abernat where the security review is done",
      rows(
        `select count(*) as deals from d where outcome = 'open' and owner = 'Nadir Abernat' and (crm ->> 'security_review')::boolean`,
      ),
    ],
  }),
  ...questions("filters", "crm", {
    "phone-gtx-basic-codehow": [
      "GTX Basic wins at Codehow",
      rows(
        `select count(*) as deals from d join labels on deal_id = id where outcome = 'won' and label = 'GTX Basic' and client = 'Codehow'`,
      ),
    ],
  }),
  ...questions("follow-up", "crm", {
    "phone-and-last": [
      ["how much has Condax bought from us", "and Isdom?"],
      rows(`select sum(amount) as amount from d where outcome = 'won' and client = 'Isdom'`),
    ],
  }),
  ...questions("misspelt", "crm", {
    "phone-viki": [
      "viki laflame won deals",
      rows(`select count(*) as deals from d where outcome = 'won' and owner = 'Vicki Laflamme'`),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "phone-ormby-power": ["amount of the Ormby Power deal?", asksOf(`select name from d where client = 'Ormby Power'`)],
  }),
  ...questions("brief", "demo", {
    "phone-halvern-schools": [
      "where does Halvern Schools stand",
      tells(`select stage, amount, 'Sparrowdesk' as rival from d where client = 'Halvern Schools'`),
    ],
    "phone-caldrith-hotels": [
      "call with Caldrith Hotels in 5 min, what do I need to know",
      tells(`select '3 weeks' as budget, '44 days' as pilot`),
    ],
  }),
  ...questions("library", "demo", {
    "phone-budget-caldrith": ["when does Caldrith Hotels' budget close?", says("Caldrith Hotels", "3 weeks")],
    "phone-sites-abelund": ["Abelund Credit rollout – how many sites?", says("Abelund Credit", "5 sites")],
    "phone-why-stellmoor": ["who did Stellmoor Freight choose us over", says("Brixen Suite")],
  }),
]
