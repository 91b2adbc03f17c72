import { questions, refuses, rows } from "../question.ts"

export const score = [
  ...questions("score", "demo", {
    "competitive-intensity-orvanta": [
      "competitive intensity score in deals against Orvanta",
      rows(
        `select avg(competitive_intensity) as score from d join rivals on deal_id = id where competitor = 'Orvanta'`,
      ),
    ],
    "messaging-fit-region": [
      "messaging fit per region",
      rows(`select region as name, avg(messaging_fit) as score from d group by 1`),
    ],
    "price-sensitivity-retail": [
      "how price sensitive is retail?",
      rows(`select avg(price_sensitivity) as score from d where industry = 'Retail'`),
    ],
    "low-fit-losses": [
      "how many lost deals have a product fit score of 2 or less?",
      rows(`select count(*) as deals from d where outcome = 'lost' and product_fit <= 2`),
    ],
    "customer-fit-industry": [
      "customer fit score by industry",
      rows(`select industry as name, avg(customer_fit) as score from d group by 1 order by 2 desc`),
    ],
    champion: [
      "average champion strength on won deals",
      rows(`select avg((metrics -> 'champion_strength' ->> 'score')::float) as score from d where outcome = 'won'`),
    ],
  }),
  ...questions("score", "crm", {
    "no-scores": ["average product fit score?", refuses()],
  }),
]
