import { questions, ranking, refuses, rows } from "../question.ts"

export const reasons = [
  ...questions("reasons", "demo", {
    "why-lose": [
      "why do we lose deals?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive group by 1 order by 2 desc`,
      ),
    ],
    "reasons-for-losing-dach": [
      "top 3 reasons for losing in DACH",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and region = 'DACH' group by 1 order by 2 desc`,
      ),
    ],
    "spoke-against-by-category": [
      "loss reasons by category",
      rows(
        `select category as name, count(distinct id) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive group by 1`,
      ),
    ],
    "reason-cost-most": [
      "which loss reason cost us the most money?",
      ranking(
        1,
        `select reason as name, sum(amount) as amount from d join drivers on deal_id = id where outcome = 'lost' and not positive group by 1 order by 2 desc`,
      ),
    ],
    "why-nimbrel-win": [
      "what speaks for us when we beat Nimbrel",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'won' and positive and competitor = 'Nimbrel' group by 1 order by 2 desc`,
      ),
    ],
    "renewals-lost-why": [
      "why did renewals churn?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and type = 'Renewal' group by 1 order by 2 desc`,
      ),
    ],
  }),
  ...questions("reasons", "crm", {
    "why-lose": ["why do we lose?", refuses(["reason", "reasons", "why"])],
  }),
]
