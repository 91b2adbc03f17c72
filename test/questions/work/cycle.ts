import { questions, ranking, rows } from "../question.ts"

export const cycle = [
  ...questions("cycle", "demo", {
    "cycle-average": [
      "How long is our average sales cycle?",
      rows(`select avg(cycle) as days from d where outcome <> 'open'`),
    ],
    "cycle-won": ["sales cycle of won deals", rows(`select avg(cycle) as days from d where outcome = 'won'`)],
    "cycle-lost-orvanta": [
      "how many days does it take us to lose to Orvanta, on average",
      rows(
        `select avg(cycle) as days from d join rivals on deal_id = id where outcome = 'lost' and competitor = 'Orvanta'`,
      ),
    ],
    "fastest-region": [
      "which region closes fastest?",
      ranking(1, `select region as name, avg(cycle) as days from d where outcome <> 'open' group by 1 order by 2`),
    ],
    "median-cycle-dach": [
      "median time to close in DACH",
      rows(
        `select percentile_cont(0.5) within group (order by cycle) as days from d where outcome <> 'open' and region = 'DACH'`,
      ),
    ],
  }),
  ...questions("cycle", "crm", {
    "cycle-by-product": [
      "sales cycle by product",
      rows(
        `select label as name, avg(cycle) as days from d join labels on deal_id = id where outcome <> 'open' group by 1`,
      ),
    ],
    "cycle-kary": [
      "how long does Kary Hendrixson need to close a deal",
      rows(`select avg(cycle) as days from d where outcome <> 'open' and owner = 'Kary Hendrixson'`),
    ],
  }),
]
