import { questions, rows } from "../question.ts"

export const filters = [
  ...questions("filters", "demo", {
    "lost-without-rival": [
      "how many deals did we lose without any competitor?",
      rows(`select count(*) as deals from d where outcome = 'lost' and id not in (select deal_id from rivals)`),
    ],
    between: [
      "open deals between 50k and 100k",
      rows(`select count(*) as deals from d where outcome = 'open' and amount between 50000 and 100000`),
    ],
    "lars-new-business-small": [
      "Lars Eriksdotter's open new business below 50k",
      rows(
        `select count(*) as deals from d where outcome = 'open' and owner = 'Lars Eriksdotter' and type = 'New business' and amount < 50000`,
      ),
    ],
    "no-amount": [
      "how many open deals have no amount?",
      rows(`select count(*) as deals from d where outcome = 'open' and amount is null`),
    ],
    "dach-or-nordics": [
      "pipeline in DACH and Nordics together",
      rows(`select sum(amount) as amount from d where outcome = 'open' and region in ('DACH', 'Nordics')`),
    ],
    "ledger-renewals-lost": [
      "lost renewals of Quellaria Ledger above 30k",
      rows(
        `select count(*) as deals from d join labels on deal_id = id where outcome = 'lost' and type = 'Renewal' and label = 'Quellaria Ledger' and amount > 30000`,
      ),
    ],
    "excluding-small": [
      "average won deal excluding anything under 10k",
      rows(`select avg(amount) as amount from d where outcome = 'won' and amount >= 10000`),
    ],
  }),
  ...questions("filters", "crm", {
    "over-5000": [
      "won deals above 5,000",
      rows(`select count(*) as deals from d where outcome = 'won' and amount > 5000`),
    ],
    "june-mg-special": [
      "MG Special wins in June 2025",
      rows(
        `select count(*) as deals from d join labels on deal_id = id where outcome = 'won' and label = 'MG Special' and close_date >= '2025-06-01' and close_date < '2025-07-01'`,
      ),
    ],
    "marketing-or-finance": [
      "revenue in marketing or finance",
      rows(`select sum(amount) as amount from d where outcome = 'won' and industry in ('marketing', 'finance')`),
    ],
  }),
]
