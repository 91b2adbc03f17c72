import { asks, asksOf, questions } from "../question.ts"

export const ambiguous = [
  ...questions("ambiguous", "demo", {
    grabowski: ["how many deals did Grabowski win?", asks("Bastian Grabowski", "Oluwaseun Grabowski")],
    "kelbrook-hotels-deal": [
      "what's the status of the Kelbrook Hotels deal",
      asksOf(`select name from d where client = 'Kelbrook Hotels'`),
    ],
    "owner-fairnoll": [
      "who owns the deal with Fairnoll Clinics?",
      asksOf(`select name from d where client = 'Fairnoll Clinics'`),
    ],
    zellander: [
      "brief me on Zellander",
      asksOf(`select distinct client as name from d where client like 'Zellander %'`),
    ],
    "dorvale-lost": [
      "did we lose Dorvale?",
      asksOf(`select distinct client as name from d where client like 'Dorvale %'`),
    ],
    "grabowski-pipeline": ["Grabowski's pipeline", asks("Bastian Grabowski", "Oluwaseun Grabowski")],
  }),
  ...questions("ambiguous", "crm", {
    don: ["revenue from Don", asks("Doncon", "Donware", "Donquadtech")],
  }),
]
