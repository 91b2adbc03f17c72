import { questions, rows } from "../question.ts"

export const count = [
  ...questions("count", "demo", {
    "deals-in-total": ["How many deals do we have?", rows(`select count(*) as deals from d`)],
    "lost-this-year": [
      "so how many have we lost this year",
      rows(`select count(*) as deals from d where outcome = 'lost' and in_year(close_date, 0)`),
    ],
    "logos-won-march": [
      "how many logos did we sign in March?",
      rows(`select count(distinct client) as clients from d where outcome = 'won' and in_named_month(close_date, 3)`),
    ],
    "new-last-30": [
      "how many new deals were created in the past 30 days?",
      rows(`select count(*) as deals from d where last_days(created, 30)`),
    ],
    "in-negotiation": [
      "how many opps are sitting in negotiation right now",
      rows(`select count(*) as deals from d where stage = 'Negotiation'`),
    ],
    "ines-wins": [
      "how many deals has Ines Ilves won so far",
      rows(`select count(*) as deals from d where outcome = 'won' and owner = 'Ines Ilves'`),
    ],
    "renewals-churned": [
      "how many renewals did we lose in the last 12 months?",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and type = 'Renewal' and close_date >= month_start(-12) and close_date < month_start(0)`,
        `select count(*) as deals from d where outcome = 'lost' and type = 'Renewal' and close_date >= today() - interval '12 months' and close_date <= today()`,
      ),
    ],
  }),
  ...questions("count", "crm", {
    "engaging-now": ["how many are in Engaging?", rows(`select count(*) as deals from d where stage = 'Engaging'`)],
    "darcel-deals": [
      "deal count for Darcel Schlecht",
      rows(`select count(*) as deals from d where owner = 'Darcel Schlecht'`),
    ],
  }),
]
