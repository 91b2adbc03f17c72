import { questions, rows } from "../question.ts"

export const count = [
  ...questions("count", "demo", {
    "open-now": ["number of open opportunities", rows(`select count(*) as deals from d where outcome = 'open'`)],
    "won-last-quarter": [
      "how many deals did we win last quarter?",
      rows(`select count(*) as deals from d where outcome = 'won' and in_quarter(close_date, -1)`),
    ],
    "lost-to-tallowmark": [
      "losses to Tallowmark",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Tallowmark'`,
      ),
    ],
    "closed-lost-q2": [
      "closed-lost count Q2",
      rows(`select count(*) as deals from d where outcome = 'lost' and in_numbered_quarter(close_date, 2)`),
    ],
    "accounts-with-open": [
      "How many accounts have an open deal with us?",
      rows(`select count(distinct client) as clients from d where outcome = 'open'`),
    ],
  }),
  ...questions("count", "crm", {
    "won-total": ["how many deals did the team win?", rows(`select count(*) as deals from d where outcome = 'won'`)],
    "lost-total": ["total number of lost opps pls", rows(`select count(*) as deals from d where outcome = 'lost'`)],
    "won-march-2025": [
      "how many deals closed won in March 2025?",
      rows(
        `select count(*) as deals from d where outcome = 'won' and close_date >= '2025-03-01' and close_date < '2025-04-01'`,
      ),
    ],
    accounts: [
      "how many different customers did we win at least one deal with?",
      rows(`select count(distinct client) as clients from d where outcome = 'won'`),
    ],
  }),
]
