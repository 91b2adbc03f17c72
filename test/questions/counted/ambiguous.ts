import { asks, asksOf, questions } from "../question.ts"

export const ambiguous = [
  ...questions("ambiguous", "demo", {
    kelbrook: [
      "how is the Kelbrook deal going?",
      asksOf(`select distinct client as name from d where client like 'Kelbrook %'`),
    ],
    "halvern-revenue": [
      "revenue from Halvern",
      asksOf(`select distinct client as name from d where client like 'Halvern %'`),
    ],
    quellaria: ["win rate of Quellaria product", asks("Quellaria Flow", "Quellaria Ledger", "Quellaria Signal")],
    "oakrend-credit-deal": [
      "prep me for the Oakrend Credit deal",
      asksOf(`select name from d where client = 'Oakrend Credit'`),
    ],
  }),
  ...questions("ambiguous", "crm", {
    gtx: ["revenue for GTX Plus", asks("GTX Plus Basic", "GTX Plus Pro")],
    mg: ["how many MG did we win", asks("MG Special", "MG Advanced")],
    "acme-deal": ["what's the amount of the Acme Corporation GTXPro deal?", asks("Acme Corporation - GTXPro")],
  }),
]
