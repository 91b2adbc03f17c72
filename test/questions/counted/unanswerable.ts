import { questions, refuses } from "../question.ts"

export const unanswerable = [
  ...questions("unanswerable", "demo", {
    salesforce: ["how many deals did we lose to Salesforce?", refuses("Salesforce")],
    margin: ["what's our gross margin?", refuses(["margin", "gross margin"])],
    cac: [
      "customer acquisition cost last quarter",
      refuses(["acquisition cost", "customer acquisition", "acquisition"]),
    ],
    "by-manager": ["revenue by sales manager", refuses(["manager", "sales manager"])],
    "revenue-nimbrel": ["how many employees does Nimbrel have?", refuses()],
    automotive: ["how many automotive deals did we win?", refuses("automotive")],
  }),
  ...questions("unanswerable", "crm", {
    competitor: ["win rate by competitor", refuses(["competitor", "competitors"])],
    "jane-doe": ["how many deals did Jane Doe win?", refuses("Jane Doe")],
    discount: ["average discount on won deals", refuses("discount")],
    "product-x": ["revenue of GTZ 900", refuses("GTZ 900")],
  }),
]
