import type { FieldClaims } from "../judge.ts"

/** Calls, mails, records and interviews in English. */
export const ENGLISH_NOTES: ReadonlyArray<FieldClaims> = [
  {
    language: "en",
    document: "Interview with Abelund.md",
    headings: ["Win/loss interview: Abelund"],
    text: `Abelund went with Nimbrel instead of Flow in March 2026. Their IT lead, Ruth Okafor, told us that Nimbrel's offer of $184,000 was higher than ours of $162,500. What decided it was the single sign-on: we did not have it in time. The evaluation took eleven weeks and involved six people. Martin Hale, the CFO, would have preferred us. They will review the decision in two years.`,
    paraphrase: [
      "Nimbrel was chosen by Abelund over Flow.",
      "Our bid at Abelund was $162.5k, and Nimbrel's was $184k.",
      "Nimbrel was more expensive than us.",
      "Six people took part in the 11-week evaluation.",
      "The CFO, Martin Hale, favoured us.",
      "Abelund made its choice in March of 2026.",
      "Ruth Okafor is Abelund's IT lead.",
    ],
    value: [
      "Our offer was $184,000.",
      "The evaluation took six weeks.",
      "Abelund will review the decision in eleven weeks.",
    ],
    subject: [
      "Abelund went with Flow instead of Nimbrel.",
      "Ruth Okafor would have preferred us.",
      "Martin Hale is the IT lead of Abelund.",
    ],
    number: ["Abelund had a budget of $200,000."],
    name: ["Abelund went with Nimbrel after talking to Gartner."],
    negated: ["We had single sign-on in time.", "Abelund did not go with Nimbrel."],
  },
  {
    language: "en",
    source: "deal",
    document: "Mirador Health new business",
    text: `Mirador Health new business

Amount: 91,200
Stage: Negotiation
Close date: 2026-08-14
Created: 2026-01-22
Owner: Ben Carver
Collaborators: Aiko Tanaka
Client: Mirador Health
Region: APAC
Competitors: Zelqor, Nimbrel
Type: New business
Products: Capture
Drivers

Data residency, security (positive): Data stays in Sydney.
Price, commercial (negative): Zelqor is 20 % cheaper.`,
    paraphrase: [
      "The Mirador Health deal has an ARR of about $91k.",
      "It is expected to close on August 14th, 2026.",
      "The deal is in the negotiation phase.",
      "Ben Carver is the account executive and Aiko Tanaka collaborates.",
      "The account is in APAC.",
      "Zelqor undercuts us by 20 percent.",
      "We compete with Zelqor and Nimbrel for Mirador Health.",
      "Keeping data in Sydney speaks for us.",
    ],
    value: ["The Mirador Health deal closes on 22 January 2026.", "The deal was created on 14 August 2026."],
    subject: [
      "Aiko Tanaka owns the Mirador Health deal.",
      "The deal is with Nimbrel in APAC, and Mirador Health is the competitor.",
      "Ben Carver is a rival.",
      "Price speaks for us at Mirador Health.",
    ],
    number: ["The Mirador Health deal is worth $120k."],
    name: ["Salesforce competes for Mirador Health."],
    negated: ["Zelqor is not cheaper."],
  },
  {
    language: "en",
    document: "Call with Oxbow.vtt",
    headings: [],
    text: `[00:00:41] Nora Finch: We spend $5,400 a month on Zelqor, for 60 licences.
[00:00:58] Dev Patel: When is the renewal?
[00:01:04] Nora Finch: The first of November. We need to give notice by 15 September.
[00:01:30] Dev Patel: We could migrate you in five weeks, at $4,800 a month.
[00:02:12] Nora Finch: Security is a must. We failed an audit in 2024.
[00:02:40] Dev Patel: We passed ours in February, without findings.`,
    paraphrase: [
      "Oxbow pays Zelqor 5,400 dollars monthly.",
      "They hold sixty Zelqor licenses.",
      "Oxbow has to cancel by September 15.",
      "Dev Patel offered a migration within 5 weeks for $4.8k a month.",
      "Oxbow did not pass an audit in 2024.",
      "Their renewal date is November 1.",
    ],
    value: ["Nora Finch spends $4,800 a month on Zelqor.", "The renewal is on 15 September."],
    subject: ["Dev Patel failed an audit in 2024.", "Nora Finch could migrate in five weeks."],
    number: ["Oxbow wants a reduction of 10 percent."],
    name: ["Oxbow uses Okta."],
    negated: ["We did not pass our audit in February."],
  },
  {
    language: "en",
    document: "Loss review Tandem Labs.md",
    headings: ["Loss review: Tandem Labs"],
    text: `Tandem Labs signed with Cobalt on 21 November 2025. The deal was worth $74,000 to us. Elena Suarez, VP Engineering, cited our missing Jira integration as the biggest gap; security came second. Cobalt had also brought in a reference customer, Vantor, early on. We entered the process three weeks late. Our champion, Greg Lindon, left the company in October.`,
    paraphrase: [
      "Cobalt won Tandem Labs on November 21, 2025.",
      "We lost a deal of $74k.",
      "Elena Suarez pointed to the lack of a Jira integration as the main gap.",
      "The VP Engineering is Elena Suarez.",
      "We joined the process 3 weeks too late.",
      "Greg Lindon, who was our champion, departed in October.",
      "Vantor served as Cobalt's reference.",
    ],
    value: ["We entered the process in November, 21 weeks late."],
    subject: [
      "Elena Suarez left the company in October.",
      "Greg Lindon cited the missing Jira integration.",
      "Vantor signed with Cobalt on 21 November 2025.",
      "Tandem Labs signed with us.",
    ],
    number: ["Cobalt offered a price of $66,000."],
    name: ["Tandem Labs looked at Cobalt and Linear."],
    negated: [
      "Our Jira integration was the biggest strength, and not missing.",
      "Greg Lindon did not leave the company.",
    ],
  },
  {
    language: "en",
    document: "RE: Renewal Kestridge.eml",
    headings: ["RE: Renewal Kestridge"],
    text: `Hi Sam,
Kestridge wants to renew for another two years but asks us to cut the annual fee from $118,000 to $100,000. They dropped from 410 to 350 active users after selling their Belfast branch in May. Their new COO, Anita Rao, is talking to Vessel as well. I would offer 8 % and keep the price cap. Please answer by Thursday, 9 April.`,
    paraphrase: [
      "Kestridge would like a renewal of two more years.",
      "Kestridge is asking for the yearly price to go down to $100k from $118k.",
      "Active users declined to 350.",
      "The Belfast branch was sold in May.",
      "Anita Rao, the new COO, is also in talks with Vessel.",
      "A reply is needed by April 9.",
      "The suggestion is to offer eight percent.",
    ],
    value: ["Kestridge now has 410 active users.", "Kestridge wants to pay $118,000 in the future."],
    subject: [
      "Kestridge bought a branch in Belfast.",
      "Active users rose from 350 to 410.",
      "Sam is the new COO of Kestridge.",
    ],
    number: ["Vessel quoted $92,000."],
    name: ["Anita Rao is talking to Vessel and Cobalt."],
    negated: ["Kestridge does not want to renew."],
  },
  {
    language: "en",
    source: "deal",
    document: "Pellworth Group platform",
    text: `Pellworth Group platform

Amount: 305,000
Stage: Proposal
Close date: 2026-11-30
Created: 2026-04-07
Owner: Ines Duarte
Client: Pellworth Group
Industry: Logistics
Region: UK & Ireland
Competitors: Cobalt (incumbent), Vessel
Lead source: Partner
Next step: security review on 12 October
Products: Dispatch, Insights`,
    paraphrase: [
      "The opportunity stands at $305,000.",
      "Ines Duarte is working the deal.",
      "Cobalt is the incumbent at Pellworth Group.",
      "Pellworth is a logistics company.",
      "A security review is scheduled for October 12.",
      "It came in through a partner.",
      "The expected close date is 30 November 2026.",
      "Pellworth Group is looking at Dispatch and Insights.",
    ],
    value: ["The security review is on 30 November.", "The deal was created on 12 October 2026."],
    subject: ["Vessel is the incumbent.", "Dispatch is the owner of the deal.", "Pellworth Group platform was won."],
    number: ["The Pellworth deal covers 900 users."],
    name: ["Marcus Hill owns the Pellworth deal."],
    negated: ["Cobalt is not the incumbent."],
  },
  {
    language: "en",
    document: "notes-onboarding-call-Fernhill.txt",
    headings: ["Call notes"],
    text: `Attendees: Tara Quinn (Fernhill, head of logistics), Owen Bray (our side).
- Fernhill ships 22,000 parcels a day from five warehouses.
- Current tool: Swiftlane, bought in 2019, EUR 95,000 a year, contract until 31 March 2027.
- Pain: Swiftlane crashed twice in December, each time for about six hours.
- Tara wants a proof of concept in two warehouses, Ghent first.
- Budget approved: EUR 120,000. Decision by the board on 16 June.
- Next step: Owen sends a proposal by Friday, 8 May.`,
    paraphrase: [
      "Fernhill ships 22k parcels per day.",
      "Fernhill operates five warehouses.",
      "They bought Swiftlane in 2019 and pay €95,000 annually for it.",
      "Fernhill's contract with Swiftlane runs until the end of March 2027.",
      "Swiftlane went down twice in December.",
      "The approved budget amounts to 120,000 euros.",
      "The board will decide on June 16.",
      "Owen Bray will send a proposal by May 8.",
      "Tara Quinn is head of logistics at Fernhill.",
      "The proof of concept starts in Ghent.",
    ],
    value: [
      "The budget is EUR 95,000.",
      "The board decides on 8 May.",
      "Fernhill wants a proof of concept in five warehouses.",
    ],
    subject: [
      "Owen Bray is head of logistics.",
      "Tara sends a proposal by 8 May.",
      "Our tool crashed twice in December.",
    ],
    number: ["Fernhill expects 30,000 parcels a day next year."],
    name: ["The proof of concept starts in Antwerp."],
    negated: ["The budget was not approved.", "Swiftlane did not crash in December."],
  },
]
