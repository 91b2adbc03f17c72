import { questions, says } from "../question.ts"

export const documents = [
  ...questions("documents", "demo", {
    cheapest: ["which competitor is the cheapest?", says("Tallowmark", "$26")],
    "most-expensive": ["who charges most per seat", says("Orvanta", "$71")],
    frankfurt: ["who hosts customer data in Frankfurt?", says("Brixen Suite", "Orvanta")],
    "forecast-view-missing": ["which competitors have no forecast view", says("Tallowmark", "Sparrowdesk")],
    "setup-fees": [
      "compare the setup fees of our competitors",
      says("$18,500", "$19,500", "$19,000", "$24,500", "$10,500"),
    ],
    "slowest-support": ["who has the slowest support?", says("Tallowmark", "29 hours")],
    "minimum-seats": ["which competitor asks for the fewest seats?", says("Orvanta", "10 seats")],
  }),
]
