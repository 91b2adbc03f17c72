import { questions, rows, says } from "../question.ts"

export const misspelt = [
  ...questions("misspelt", "demo", {
    talowmark: [
      "how many deals did we loose to Talowmark?",
      rows(
        `select count(*) as deals from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Tallowmark'`,
      ),
    ],
    kelbrok: [
      "how many deals with Kelbrok Hotels?",
      rows(`select count(*) as deals from d where client = 'Kelbrook Hotels'`),
    ],
    negociation: ["deals in negociation", rows(`select count(*) as deals from d where stage = 'Negotiation'`)],
    "ofline-mode": [
      "how often did ofline mode come up",
      rows(`select count(*) as mentions from mentions where feature = 'Offline mode'`),
    ],
    competitior: [
      "win rate by competitior",
      rows(
        `select competitor as name, avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' group by 1`,
      ),
    ],
    bergstroem: [
      "Joaquim Bergstrom wins",
      rows(`select count(*) as deals from d where outcome = 'won' and owner = 'Joaquim Bergström'`),
    ],
    sparowdesk: ["whats the price of sparowdesk", says("$48")],
  }),
  ...questions("misspelt", "crm", {
    technology: [
      "how many technology deals did we win?",
      rows(`select count(*) as deals from d where outcome = 'won' and industry = 'technolgy'`),
    ],
    engageing: ["deals in engageing stage", rows(`select count(*) as deals from d where stage = 'Engaging'`)],
  }),
]
