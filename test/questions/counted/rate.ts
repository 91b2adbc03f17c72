import { questions, rows } from "../question.ts"

export const rate = [
  ...questions("rate", "demo", {
    "conversion-last-quarter": [
      "conversion rate last quarter",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and in_quarter(close_date, -1)`),
    ],
    "win-rate-enterprise": [
      "win rate for deals over 100k",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and amount > 100000`),
    ],
    "win-rate-new-business": [
      "how often do we win new business?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and type = 'New business'`),
    ],
    "win-rate-incumbent": [
      "win rate when Calyptus One is the incumbent",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Calyptus One' and is_incumbent`,
      ),
    ],
    "win-rate-value": [
      "what's our win rate by value?",
      rows(`select sum(amount) filter (where outcome = 'won') / sum(amount) as rate from d where outcome <> 'open'`),
    ],
    "win-rate-uki": [
      "win rate UK and Ireland this year",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and region = 'UK and Ireland' and in_year(close_date, 0)`,
      ),
    ],
  }),
  ...questions("rate", "crm", {
    "win-rate": [
      "overall win rate?",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open'`),
    ],
    "win-rate-mg-special": [
      "win rate MG Special",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join labels on deal_id = id where outcome <> 'open' and label = 'MG Special'`,
      ),
    ],
  }),
]
