import { questions, rows } from "../question.ts"

export const rate = [
  ...questions("rate", "demo", {
    "win-rate": [
      "what's our win rate?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open'`),
    ],
    "win-rate-orvanta": [
      "win rate against Orvanta",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Orvanta'`,
      ),
    ],
    "hit-rate-hanneke": [
      "Hanneke Jankovic hit rate",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and owner = 'Hanneke Jankovic'`),
    ],
    "loss-rate": [
      "and what's the loss rate overall",
      rows(`select avg((outcome = 'lost')::int) as rate from d where outcome <> 'open'`),
    ],
    "close-rate-ytd": [
      "close rate YTD",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and ytd(close_date)`),
    ],
  }),
  ...questions("rate", "crm", {
    "win-rate-software": [
      "what percentage of decided software deals do we win",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry = 'software'`),
    ],
    "win-rate-moses": [
      "Moses Frase's win rate please",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and owner = 'Moses Frase'`),
    ],
    "win-rate-may": [
      "hit rate in May 2025",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and close_date >= '2025-05-01' and close_date < '2025-06-01'`,
      ),
    ],
  }),
]
