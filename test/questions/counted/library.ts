import { questions, says } from "../question.ts"

export const library = [
  ...questions("library", "demo", {
    "calyptus-office": ["which office is Calyptus One closing?", says("Lisbon")],
    "notice-brixen": ["what is the notice period of Brixen Suite?", says("60 days")],
    "sites-abelund": ["in how many sites does Abelund Credit want the rollout?", says("5 sites")],
    "win-against-tallowmark": ["how do we win against Tallowmark", says("barcode scanning")],
    "stellmoor-wished": ["what would Stellmoor Freight have liked?", says("named contact")],
    "fairnoll-quote": ["who did we beat at Fairnoll Clinics", says("Calyptus One")],
    "hosting-nimbrel": ["where does Nimbrel host data?", says("Virginia")],
    "birkhall-said": [
      "what spoke against us at Birkhall Freight?",
      says("security review", "data residency", "total cost"),
    ],
  }),
]
