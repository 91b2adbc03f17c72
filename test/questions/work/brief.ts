import { questions, tells } from "../question.ts"

export const brief = [
  ...questions("brief", "demo", {
    tallowmark: [
      "brief me on Tallowmark",
      tells(
        `select '$26' as price, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Tallowmark'`,
      ),
    ],
    orvanta: [
      "give me a rundown of Orvanta: record, price, weak spots",
      tells(
        `select '$71' as price, 'approval by e-mail' as weak, count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Orvanta'`,
      ),
    ],
    nimbrel: [
      "battlecard summary nimbrel please",
      tells(`select '$64' as price, 'open api' as weak, 'audit trail' as lead`),
    ],
    "meeting-abelund": [
      "prep for my call with Abelund Credit",
      tells(`select '7 weeks' as budget, 'Brixen Suite' as rival`),
    ],
    brixen: [
      "what do we know about Brixen Suite",
      tells(
        `select '$33' as price, 'spreadsheet import' as weak, count(*) filter (where outcome = 'lost') as lost from d join rivals on deal_id = id where competitor = 'Brixen Suite'`,
      ),
    ],
  }),
  ...questions("brief", "crm", {
    konex: [
      "account overview for Konex",
      tells(
        `select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost from d where client = 'Konex'`,
      ),
    ],
  }),
]
