import { questions, rows } from "../question.ts"

export const share = [
  ...questions("share", "demo", {
    "share-lost-to-nimbrel": [
      "what percentage of our losses went to Nimbrel",
      rows(
        `select count(*) filter (where id in (select deal_id from rivals where competitor = 'Nimbrel'))::float / count(*) as share from d where outcome = 'lost'`,
      ),
    ],
    "pipeline-in-negotiation": [
      "how much of the pipeline is in negotiation, in percent?",
      rows(
        `select sum(amount) filter (where stage = 'Negotiation') / sum(amount) as share from d where outcome = 'open'`,
      ),
    ],
    "loss-share-by-industry": [
      "percentage of lost deals by industry",
      rows(
        `select industry as name, count(*)::float / sum(count(*)) over () as share from d where outcome = 'lost' group by 1 order by 2 desc`,
      ),
    ],
    "share-over-100k": [
      "what proportion of open deals is above 100k",
      rows(`select count(*) filter (where amount > 100000)::float / count(*) as share from d where outcome = 'open'`),
    ],
    "ines-share": [
      "Ines Ilves' share of total revenue",
      rows(
        `select sum(amount) filter (where owner = 'Ines Ilves') / sum(amount) as share from d where outcome = 'won'`,
      ),
    ],
  }),
  ...questions("share", "crm", {
    "retail-share": [
      "percent of wins that are retail",
      rows(
        `select count(*) filter (where industry = 'retail')::float / count(*) as share from d where outcome = 'won'`,
      ),
    ],
    "open-share": [
      "what fraction of all deals is still open",
      rows(`select count(*) filter (where outcome = 'open')::float / count(*) as share from d`),
    ],
  }),
]
