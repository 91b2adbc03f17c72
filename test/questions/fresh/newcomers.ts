import { asks, asksOf, introduces, questions, ranking, refuses, rows, says, tells } from "../question.ts"

/** The questions of a new hire, and of colleagues in their own languages. */
export const newcomers = [
  ...questions("greeting", "demo", {
    "new-what-is-in-here": ["Hey there, I'm new. What's in here?", introduces],
    "new-good-first-question": ["what would be a good first question?", introduces],
    "new-hola": ["Hola, ¿qué puedes hacer?", introduces, "es"],
    "new-ok-thanks": [["what stages are there?", "ok thx"], introduces],
  }),
  ...questions("greeting", "crm", {
    "new-good-morning": ["good morning", introduces],
  }),
  ...questions("count", "demo", {
    "new-how-many-customers": [
      "how many customers do we have",
      rows(
        `select count(distinct client) as clients from d where outcome = 'won'`,
        `select count(distinct client) as clients from d`,
        `select count(*) as clients from clients where org_id = 'demo_quellaria'`,
      ),
    ],
    "new-reps": [
      "How many sales people work here?",
      rows(
        `select count(*) as owners from owners where org_id = 'demo_quellaria'`,
        `select count(distinct owner) as owners from d`,
      ),
    ],
  }),
  ...questions("grouped", "demo", {
    "new-regions": ["which regions do we sell in?", rows(`select distinct region as name from d`)],
    "new-products": ["What products do we sell?", rows(`select distinct label as name from labels`)],
  }),
  ...questions("features", "demo", {
    "new-all-features": [
      "list the features in the area Governance",
      rows(`select distinct feature as name from mentions where area = 'Governance'`),
    ],
  }),
  ...questions("ambiguous", "demo", {
    "new-carvessa": [
      "who is our contact at Carvessa, I mean who owns the deal?",
      asksOf(`select distinct client as name from d where client like 'Carvessa %'`),
    ],
    "new-grabowski-owner": ["Is Grabowski any good?", asks("Bastian Grabowski", "Oluwaseun Grabowski")],
  }),
  ...questions("brief", "demo", {
    "new-tell-me-quarrow": [
      "tell me about Quarrow Industries",
      tells(`select stage, amount, owner from d where client = 'Quarrow Industries'`),
    ],
    "new-de-nimbrel": [
      "Erzähl mir bitte etwas über Nimbrel",
      tells(
        `select '$64' as price, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Nimbrel'`,
      ),
      "de",
    ],
  }),
  ...questions("library", "demo", {
    "new-nimbrel-hosting": ["where does Nimbrel keep customer data", says("Nimbrel", "Virginia")],
  }),
  ...questions("unanswerable", "demo", {
    "new-vacation": ["how many days of vacation do I get?", refuses(["vacation", "days of vacation"])],
    "new-region-latam": [
      "do we have any customers in LATAM? how many?",
      refuses("LATAM", ["DACH", "Nordics", "APAC", "UK and Ireland", "Southern Europe", "North America"]),
    ],
  }),
  ...questions("language", "demo", {
    "de-lost-last-quarter": [
      "Wie viele Deals haben wir im letzten Quartal verloren?",
      rows(`select count(*) as deals from d where outcome = 'lost' and in_quarter(close_date, -1)`),
      "de",
    ],
    "de-open-by-stage": [
      "offene Pipeline je Phase",
      rows(`select stage as name, sum(amount) as amount from d where outcome = 'open' group by 1`),
      "de",
    ],
    "de-price-tallowmark": ["Was kostet Tallowmark pro Arbeitsplatz im Monat?", says("Tallowmark", "$26"), "de"],
    "fr-best-reps": [
      "les trois meilleurs vendeurs en chiffre d'affaires",
      ranking(3, `select owner as name, sum(amount) as amount from d where outcome = 'won' group by 1 order by 2 desc`),
      "fr",
    ],
    "fr-why-lose": [
      "Pourquoi perdons-nous des affaires ?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive group by 1 order by 2 desc`,
      ),
      "fr",
    ],
    "es-won-nordics": [
      "¿Cuántos negocios ganamos en Nordics?",
      rows(`select count(*) as deals from d where outcome = 'won' and region = 'Nordics'`),
      "es",
    ],
    "es-open-industry": [
      "importe abierto por industria",
      rows(`select industry as name, sum(amount) as amount from d where outcome = 'open' group by 1`),
      "es",
    ],
  }),
  ...questions("language", "crm", {
    "fr-revenue-product": [
      "chiffre d'affaires par produit",
      rows(
        `select label as name, sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' group by 1`,
      ),
      "fr",
    ],
    "de-average-finance": [
      "durchschnittlicher Auftragswert gewonnener Deals im Bereich finance",
      rows(`select avg(amount) as amount from d where outcome = 'won' and industry = 'finance'`),
      "de",
    ],
  }),
]
