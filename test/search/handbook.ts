import type { Source } from "../support/addDocuments.ts"

/** Notes of a seller of an invented product, written by us for this test. */
export const HANDBOOK: ReadonlyArray<Source> = [
  {
    name: "Cobalt battlecard.md",
    chunks: [
      "Cobalt is our most frequent competitor in manufacturing. It was founded in Lyon in 2011 by two former plant engineers. Today it has about 340 employees and three offices, the largest of them in Ghent.",
      "Cobalt charges 40 euros a seat each month on its starter plan. The enterprise plan is priced by site: 1,900 euros a month, with a minimum of three sites. Discounts of up to 15 percent are common at the end of a quarter.",
      "Its weakness is the mobile application, which needs a connection at all times. Crews underground or at sea lose what they entered when the signal drops. Customers who moved from Cobalt to us name this more often than anything else.",
      "When a buyer praises the Cobalt dashboards, show the export to their own tools. Cobalt keeps its data in a format of its own, and an export must be ordered from support, which takes five working days.",
    ],
  },
  {
    name: "Zinc battlecard.md",
    chunks: [
      "Zinc sells only through partners. It has no sales team of its own, and its partners set prices as they like, so that two customers in one street may pay quite different amounts.",
      "The security of Zinc has been questioned since a breach in March 2024, when addresses of 12,000 users were taken. The company told its customers after nineteen days, and its certificate was suspended for a while.",
      "Zinc integrates with every large accounting system. Its connector to Ledgerly is certified, and ours is not yet. Expect this question from finance departments.",
    ],
  },
  {
    name: "Security and privacy.pdf",
    chunks: [
      "All data is encrypted at rest with keys that rotate every ninety days. Backups are kept for thirty-five days in a second region and restored in a drill each quarter.",
      "Customers choose the region in which their data is kept: Frankfurt, Montreal or Singapore. Data never leaves the chosen region, and support staff see it only with the customer's written consent.",
      "Single sign-on works with any identity provider that speaks SAML or OpenID Connect. It is part of the business plan and above. Accounts can be provisioned through SCIM.",
    ],
  },
  {
    name: "Onboarding call, Harbor Freight.txt",
    chunks: [
      "Their warehouse in Rotterdam runs three shifts, and nobody may be trained for longer than two hours. Marta Lindqvist, who heads operations, will decide alone.",
      "The pilot ends on the ninth of May. If fewer than five percent of the scans fail by then, they will sign for all eleven sites. Their old scanners are leased until August, and they will not pay twice.",
      "What worries them is the union, which must agree to any system that records who did what. Their lawyer asks for a setting that removes names from reports.",
    ],
  },
  {
    name: "Price list 2026.xlsx",
    chunks: [
      "Team plan, 29 euros a seat each month, up to 50 seats. Business plan, 49 euros a seat each month, with single sign-on and audit trail. Enterprise plan, on request.",
      "Training on site costs 1,200 euros a day plus travel. Migration from another system is free of charge for contracts of two years or longer.",
    ],
  },
]

export const QUESTIONS: ReadonlyArray<{ readonly question: string; readonly answer: string }> = [
  { question: "Where was Cobalt founded?", answer: "Lyon" },
  { question: "How many employees does Cobalt have?", answer: "340" },
  { question: "What does Cobalt charge for a seat on the starter plan?", answer: "40 euros" },
  { question: "How large a discount does Cobalt give at the end of a quarter?", answer: "15 percent" },
  { question: "What is the weakness of Cobalt?", answer: "mobile application" },
  { question: "How long does an export from Cobalt take?", answer: "five working days" },
  { question: "Does Zinc have a sales team?", answer: "no sales team" },
  { question: "How many users were affected by the Zinc breach in March 2024?", answer: "12,000" },
  { question: "Which accounting systems does Zinc integrate with?", answer: "every large accounting system" },
  { question: "How often do encryption keys rotate?", answer: "ninety days" },
  { question: "In which regions can customers keep their data?", answer: "Frankfurt, Montreal or Singapore" },
  { question: "Which identity providers work with single sign-on?", answer: "SAML" },
  { question: "Who decides at Harbor Freight?", answer: "Marta Lindqvist" },
  { question: "When does the pilot end?", answer: "ninth of May" },
  { question: "Until when are the old scanners leased?", answer: "August" },
  { question: "What does training on site cost?", answer: "1,200 euros" },
  { question: "Is migration from another system free of charge?", answer: "two years" },
  { question: "How long are backups kept?", answer: "thirty-five days" },
]

export const UNANSWERABLE: ReadonlyArray<string> = [
  "Who is the chief executive of Nickel Corporation?",
  "What was our revenue in Brazil last year?",
  "How many penguins live in Antarctica?",
  "Which airline does the Lisbon team fly with?",
  "What is the phone number of Tomas Bergstrom?",
  "When will the moon eclipse be visible in Oslo?",
]
