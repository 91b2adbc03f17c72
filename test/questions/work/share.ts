import { questions, rows } from "../question.ts"

export const share = [
  ...questions("share", "demo", {
    "dach-share-revenue": [
      "what share of revenue comes from DACH?",
      rows(`select sum(amount) filter (where region = 'DACH') / sum(amount) as share from d where outcome = 'won'`),
    ],
    "share-renewals": [
      "share of renewals among won deals",
      rows(`select count(*) filter (where type = 'Renewal')::float / count(*) as share from d where outcome = 'won'`),
    ],
    "revenue-share-by-region": [
      "each region's share of revenue",
      rows(
        `select region as name, sum(amount) / sum(sum(amount)) over () as share from d where outcome = 'won' group by 1 order by 2 desc`,
      ),
    ],
    "share-overdue": [
      "what % of open deals is overdue?",
      rows(`select count(*) filter (where overdue)::float / count(*) as share from d where outcome = 'open'`),
    ],
  }),
  ...questions("share", "crm", {
    "gtxpro-share": [
      "what share of revenue is GTXPro?",
      rows(
        `select (select sum(amount) from d join labels on deal_id = id where outcome = 'won' and label = 'GTXPro') / sum(amount) as share from d where outcome = 'won'`,
      ),
    ],
    "darcel-share": [
      "how much of total revenue does Darcel Schlecht account for (percent)",
      rows(
        `select sum(amount) filter (where owner = 'Darcel Schlecht') / sum(amount) as share from d where outcome = 'won'`,
      ),
    ],
    "share-by-product": [
      "revenue mix by product in %",
      rows(
        `select label as name, sum(amount) / sum(sum(amount)) over () as share from d join labels on deal_id = id where outcome = 'won' group by 1 order by 2 desc`,
      ),
    ],
  }),
]
