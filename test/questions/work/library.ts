import { questions, says } from "../question.ts"

export const library = [
  ...questions("library", "demo", {
    marrowfield: ["why was the Marrowfield Docks deal lost?", says(["finance director", "froze"])],
    sarnwick: ["why is the Sarnwick Capital deal stuck", says("Portuguese")],
    "halvern-left": ["why did Halvern Credit leave Tallowmark?", says(["outages", "two outages"])],
    "price-orvanta": ["how much is Orvanta per seat", says("$71")],
    "pilot-caldrith": ["what pilot did Brixen Suite offer Caldrith Hotels", says("44 days")],
    "new-price-tallowmark": ["what is Tallowmark's new list price?", says("$29")],
    "support-nimbrel": ["how fast does nimbrel support answer?", says("23 hours")],
    "office-support": ["where does Calyptus One move its support", says("Manila")],
  }),
]
