import { questions, ranking, rows } from "../question.ts"

export const features = [
  ...questions("features", "demo", {
    "most-requested": [
      "what are the most requested features?",
      ranking(3, `select feature as name, count(*) as mentions from mentions group by 1 order by 2 desc`),
    ],
    "lost-amount-by-feature": [
      "features by lost amount",
      rows(
        `select coalesce(feature, 'no feature') as name, sum(amount) as amount from d left join mentions on id = deal_id where outcome = 'lost' group by 1 order by 2 desc`,
      ),
    ],
    "most-negative": [
      "which feature gets the most negative feedback",
      ranking(
        1,
        `select feature as name, count(*) as mentions from mentions where not sentiment group by 1 order by 2 desc`,
      ),
    ],
    "offline-lost": [
      "how much money did we lose where offline mode came up",
      rows(
        `select sum(amount) as amount from mentions join d on id = deal_id where outcome = 'lost' and feature = 'Offline mode'`,
      ),
    ],
    "sentiment-workflow": [
      "sentiment on workflow builder",
      rows(
        `select count(*) filter (where sentiment) as positive, count(*) filter (where not sentiment) as negative from mentions where feature = 'Workflow builder'`,
      ),
    ],
    "features-lost-nimbrel": [
      "top 3 features in deals lost to Nimbrel",
      ranking(
        3,
        `select feature as name, count(*) as mentions from mentions join d on id = mentions.deal_id join rivals on rivals.deal_id = id where outcome = 'lost' and competitor = 'Nimbrel' group by 1 order by 2 desc`,
      ),
    ],
    "win-rate-audit-trail": [
      "win rate of deals where audit trail came up",
      rows(
        `select avg((outcome = 'won')::int) as rate from mentions join d on id = deal_id where outcome <> 'open' and feature = 'Audit trail'`,
      ),
    ],
  }),
]
