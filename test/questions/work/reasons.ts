import { questions, ranking, rows } from "../question.ts"

export const reasons = [
  ...questions("reasons", "demo", {
    "why-win": [
      "Why do customers buy from us?",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive group by 1 order by 2 desc`,
      ),
    ],
    "why-lose-orvanta": [
      "why are we losing against Orvanta",
      ranking(
        3,
        `select reason as name, count(*) as deals from d join drivers on deal_id = d.id join rivals on rivals.deal_id = d.id where outcome = 'lost' and not positive and competitor = 'Orvanta' group by 1 order by 2 desc`,
      ),
    ],
    "top-loss-reason-quarter": [
      "number one loss reason last quarter?",
      ranking(
        1,
        `select reason as name, count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and in_quarter(close_date, -1) group by 1 order by 2 desc`,
      ),
    ],
    "lost-on-price": [
      "how many deals did we lose because of total cost",
      rows(
        `select count(*) as deals from d join drivers on deal_id = id where outcome = 'lost' and not positive and reason = 'Total cost'`,
      ),
    ],
    "won-on-ease": [
      "in how many wins did ease of use speak for us?",
      rows(
        `select count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and positive and reason = 'Ease of use'`,
      ),
    ],
    "security-review-won-anyway": [
      "deals we won although security review spoke against us",
      rows(
        `select count(*) as deals from d join drivers on deal_id = id where outcome = 'won' and not positive and reason = 'Security review'`,
      ),
    ],
    "support-quality-win-rate": [
      "win rate when support quality spoke for us",
      rows(
        `select avg((outcome = 'won')::int) as rate from d join drivers on deal_id = id where outcome <> 'open' and positive and reason = 'Support quality'`,
      ),
    ],
  }),
]
