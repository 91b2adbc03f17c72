import { questions, says } from "../question.ts"

export const documents = [
  ...questions("documents", "demo", {
    certified: [
      "which of our competitors are certified to SOC 2?",
      says("Brixen Suite", "Tallowmark", "Orvanta", "Nimbrel", "Sparrowdesk"),
    ],
    notice: ["which competitor has the longest notice period", says(["Orvanta", "Nimbrel"], "180 days")],
    "raising-prices": ["who is raising prices?", says("Brixen Suite", "Tallowmark")],
    "offline-highest-plan": ["who has offline mode only in the highest plan?", says("Nimbrel", "Sparrowdesk")],
    "fastest-support": ["whose support answers fastest", says("Orvanta", "6 hours")],
    "lowest-setup": ["who has the lowest setup fee", says("Sparrowdesk", "$10,500")],
    dublin: ["competitors with data in Dublin", says("Tallowmark", "Sparrowdesk")],
  }),
]
