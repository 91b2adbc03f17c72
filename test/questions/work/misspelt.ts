import { questions, rows } from "../question.ts"

export const misspelt = [
  ...questions("misspelt", "demo", {
    orvnata: [
      "win rate agianst Orvnata",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join rivals on deal_id = id where outcome <> 'open' and competitor = 'Orvanta'`,
      ),
    ],
    inez: [
      "revenue of Inez Ilvez",
      rows(`select sum(amount) as amount from d where outcome = 'won' and owner = 'Ines Ilves'`),
    ],
    healthcear: [
      "win rate in healthcear",
      rows(`select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry = 'Healthcare'`),
    ],
    nordcis: [
      "pipline nordcis",
      rows(`select sum(amount) as amount from d where outcome = 'open' and region = 'Nordics'`),
    ],
    "qellaria-flow": [
      "bookings for Qellaria Flow",
      rows(
        `select sum(amount) as amount from d join labels on deal_id = id where outcome = 'won' and label = 'Quellaria Flow'`,
      ),
    ],
    "averge-cyle": ["averge sales cyle of won deals", rows(`select avg(cycle) as days from d where outcome = 'won'`)],
  }),
  ...questions("misspelt", "crm", {
    darcell: [
      "Darcell Schlect revenue",
      rows(`select sum(amount) as amount from d where outcome = 'won' and owner = 'Darcel Schlecht'`),
    ],
    kancode: [
      "revenue with Kancode",
      rows(`select sum(amount) as amount from d where outcome = 'won' and client = 'Kan-code'`),
    ],
    telecomunications: [
      "win rate telecomunications",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and industry = 'telecommunications'`,
      ),
    ],
  }),
]
