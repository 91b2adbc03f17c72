import { questions, rows } from "../question.ts"

export const filters = [
  ...questions("filters", "demo", {
    "big-open-dach": [
      "how many open deals above 100k in DACH?",
      rows(`select count(*) as deals from d where outcome = 'open' and amount > 100000 and region = 'DACH'`),
    ],
    "not-dach": [
      "won deals not in DACH this year",
      rows(`select count(*) as deals from d where outcome = 'won' and region <> 'DACH' and in_year(close_date, 0)`),
    ],
    "two-rivals": [
      "deals lost with both Orvanta and Nimbrel in play",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and id in (select deal_id from rivals where competitor = 'Orvanta') and id in (select deal_id from rivals where competitor = 'Nimbrel')`,
      ),
    ],
    "either-rival": [
      "revenue won against Orvanta or Tallowmark",
      rows(
        `select sum(amount) as amount from d where outcome = 'won' and id in (select deal_id from rivals where competitor in ('Orvanta', 'Tallowmark'))`,
      ),
    ],
    "healthcare-nordics-lost": [
      "healthcare deals lost in the Nordics since June",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and industry = 'Healthcare' and region = 'Nordics' and since_month(close_date, 6)`,
      ),
    ],
    "without-orvanta": [
      "win rate without Orvanta in the deal",
      rows(
        `select avg((outcome = 'won')::int) as rate from d where outcome <> 'open' and id not in (select deal_id from rivals where competitor = 'Orvanta')`,
      ),
    ],
    "won-from-partners": [
      "how many deals that came from partners did we win?",
      rows(`select count(*) as deals from d where outcome = 'won' and crm ->> 'lead_source' = 'Partner'`),
    ],
    "commit-forecast": [
      "open amount with forecast category Commit",
      rows(`select sum(amount) as amount from d where outcome = 'open' and crm ->> 'forecast_category' = 'Commit'`),
    ],
  }),
  ...questions("filters", "crm", {
    "gtxpro-retail-won": [
      "how many GTXPro deals did we win in retail?",
      rows(
        `select count(*) as deals from d join labels on deal_id = id where outcome = 'won' and label = 'GTXPro' and industry = 'retail'`,
      ),
    ],
    "darcel-lost-medical": [
      "Darcel Schlecht lost deals in medical",
      rows(
        `select count(*) as deals from d where outcome = 'lost' and owner = 'Darcel Schlecht' and industry = 'medical'`,
      ),
    ],
    "no-account": ["deals without an account", rows(`select count(*) as deals from d where client is null`)],
  }),
]
