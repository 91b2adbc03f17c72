import { questions, refuses } from "../question.ts"

export const unanswerable = [
  ...questions("unanswerable", "demo", {
    emea: [
      "win rate in EMEA",
      refuses("EMEA", ["DACH", "Nordics", "APAC", "UK and Ireland", "Southern Europe", "North America"]),
    ],
    "john-smith": ["John Smith's pipeline", refuses("John Smith")],
    nps: ["what is our NPS", refuses("NPS")],
    "by-campaign": ["win rate by marketing campaign", refuses(["campaign", "marketing campaign"])],
    "free-tier": ["does Orvanta have a free tier?", refuses()],
    founded: ["when was Tallowmark founded", refuses()],
    quota: ["who is below quota?", refuses("quota")],
    weather: ["what's the weather in Berlin", refuses()],
  }),
  ...questions("unanswerable", "crm", {
    region: ["revenue in EMEA", refuses(["EMEA", "region"])],
    features: ["what are the biggest customer complaints?", refuses()],
  }),
]
