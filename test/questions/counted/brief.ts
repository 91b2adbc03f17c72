import { asksOf, questions, tells } from "../question.ts"

export const brief = [
  ...questions("brief", "demo", {
    "kelbrook-hotels": [
      "tell me about the account Kelbrook Hotels",
      tells(
        `select 'Hospitality' as industry, count(*) as deals, sum(amount) filter (where outcome = 'won') as won from d where client = 'Kelbrook Hotels'`,
      ),
    ],
    "ormby-power": [
      "account summary Ormby Power",
      tells(`select 'Energy' as industry, count(*) as deals from d where client = 'Ormby Power'`),
    ],
    "meeting-sparrowdesk": [
      "I meet a prospect tomorrow who also talks to Sparrowdesk, prepare me",
      tells(`select '$48' as price, 'forecast view' as weak`),
    ],
    "birkhall-loss": [
      "what happened in the Birkhall Freight deal?",
      asksOf(`select name from d where client = 'Birkhall Freight'`),
    ],
    "stellmoor-win": [
      "how did we win Stellmoor Freight",
      tells(`select 'references' as reason, 'Brixen Suite' as rival`),
    ],
  }),
  ...questions("brief", "crm", {
    "kan-code": [
      "brief me on Kan-code",
      tells(
        `select 'software' as industry, count(*) filter (where outcome = 'won') as won, sum(amount) filter (where outcome = 'won') as amount from d where client = 'Kan-code'`,
      ),
    ],
  }),
]
