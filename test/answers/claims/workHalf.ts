import type { Claims } from "./claims.ts"

/** The half that the verifier is tuned on. */
export const WORK_HALF: ReadonlyArray<Claims> = [
  {
    kind: "table",
    name: "Orbit pricing.xlsx",
    headings: ["Orbit plans"],
    text: `Plan | Price per seat | Minimum seats | Support
Starter | $19 | 5 | e-mail
Team | $39 | 10 | chat
Enterprise | $72 | 50 | phone, 24/7`,
    supported: [
      "Orbit's Team plan costs $39 per seat.",
      "The Enterprise plan is priced at 72 dollars per seat.",
      "The Starter tier goes for $19 a seat.",
      "Orbit Enterprise requires at least 50 seats.",
      "Starter customers get support by e-mail only.",
      "The Team plan comes with chat support and a minimum of ten seats.",
      "Enterprise includes phone support around the clock (24/7).",
      "Starter needs a minimum of five seats.",
      "Orbit charges $39 per seat for Team and $72 per seat for Enterprise.",
    ],
    exchanged: [
      "Orbit's Team plan costs $72 per seat.",
      "The Starter plan is priced at $39 per seat.",
      "Orbit Enterprise requires at least 10 seats.",
      "The Starter plan needs a minimum of 50 seats.",
      "Team customers get support by phone.",
      "The Enterprise plan costs $19 per seat.",
      "The Team plan requires five seats.",
      "Orbit charges $72 per seat for Team and $39 per seat for Enterprise.",
    ],
    foreign: [
      "The Team plan costs $45 per seat.",
      "Orbit's Business plan costs $39 per seat.",
      "Enterprise customers get an account manager in Dublin.",
    ],
  },
  {
    kind: "price list",
    name: "Kestrel battlecard.md",
    headings: ["Kestrel battlecard", "Pricing"],
    text: `Kestrel charges a platform fee of $12,000 a year. On top, each user costs $35 per month.
- Onboarding: $4,500, once
- Premium support: 18 % of the license
- Storage beyond 2 TB: $90 per TB and month
Discounts of up to 25 % are common at the end of the quarter.`,
    supported: [
      "Kestrel's annual platform fee is $12k.",
      "Each user costs 35 dollars a month on top of the platform fee.",
      "Onboarding is a one-time charge of $4,500.",
      "Premium support adds 18 percent of the license.",
      "Extra storage beyond 2 TB is billed at $90 per TB per month.",
      "Kestrel commonly gives discounts of up to 25% at quarter end.",
      "Kestrel asks $12,000 per year for the platform.",
      "Users are charged at $35 monthly.",
    ],
    exchanged: [
      "Onboarding is a one-time charge of $12,000.",
      "Kestrel's annual platform fee is $4,500.",
      "Each user costs $90 per month.",
      "Premium support adds 25 % of the license.",
      "Discounts of up to 18 % are common at the end of the quarter.",
      "Extra storage beyond 2 TB is billed at $35 per TB per month.",
      "Kestrel charges a platform fee of $12,000 a month.",
    ],
    foreign: [
      "Kestrel's annual platform fee is $15,000.",
      "Premium support adds 20 % of the license.",
      "Falcon charges a platform fee of $12,000 a year.",
    ],
  },
  {
    kind: "record",
    source: "deal",
    name: "Nimbrel expansion",
    text: `Nimbrel expansion

Amount: 148,000
Stage: Closed Lost
Close date: 2026-03-31
Created: 2025-11-04
Owner: Anna Berg
Client: Nimbrel
Region: DACH
Competitors: Zenith Cloud
Products: Insights
Drivers

Price, commercial (negative): The buyer had a cheaper offer from Zenith Cloud.
Integration depth, product (positive): The SAP connector convinced the IT team.`,
    supported: [
      "Nimbrel expansion was worth $148k.",
      "The Nimbrel deal closed on 31 March 2026.",
      "Anna Berg owns the Nimbrel expansion.",
      "The Nimbrel expansion was lost in March 2026.",
      "The opportunity was created on November 4, 2025.",
      "Nimbrel expansion competed against Zenith Cloud in DACH.",
      "Price spoke against us: the buyer had a cheaper offer from Zenith Cloud.",
      "The SAP connector convinced Nimbrel's IT team, which spoke for us.",
      "The rep on the Nimbrel deal is Anna Berg.",
      "The Nimbrel expansion has a value of 148,000.",
    ],
    exchanged: [
      "Nimbrel expansion was created on 31 March 2026.",
      "The Nimbrel deal closed on November 4, 2025.",
      "Anna Berg is the competitor in the Nimbrel expansion.",
      "Zenith Cloud owns the Nimbrel expansion.",
      "Nimbrel expansion was won in March 2026.",
      "The owner of the Nimbrel expansion is Zenith Cloud.",
      "Integration depth spoke against us in the Nimbrel expansion.",
      "Price spoke for us in the Nimbrel expansion.",
    ],
    foreign: [
      "Nimbrel expansion was worth $184k.",
      "The Nimbrel deal closed on 30 March 2026.",
      "Peter Holm owns the Nimbrel expansion.",
    ],
  },
  {
    kind: "transcript",
    name: "Call with Alder Foods.vtt",
    headings: [],
    text: `Marta Ruiz: We pay about 60,000 a year for Orbit today, and the contract ends in June.
Tom Keller: How many people use it?
Marta Ruiz: Roughly 240, mostly in the warehouses.
Tom Keller: Our proposal would be 52,000 for the same number of users.
Marta Ruiz: The audit log matters most to us. Single sign-on is nice to have.
Tom Keller: We can start the pilot on 14 April.`,
    supported: [
      "Marta Ruiz said that they pay about 60,000 a year for Orbit.",
      "Alder Foods' contract with Orbit ends in June.",
      "About 240 people use it, most of them in the warehouses.",
      "Tom Keller proposed 52,000 for the same number of users.",
      "For Marta Ruiz, the audit log matters most.",
      "Marta Ruiz called single sign-on a nice-to-have.",
      "Tom Keller offered to start the pilot on April 14.",
      "Alder Foods pays Orbit roughly 60k per year today.",
    ],
    exchanged: [
      "Marta Ruiz said that they pay about 52,000 a year for Orbit.",
      "Tom Keller proposed 60,000 for the same number of users.",
      "Tom Keller said that the audit log matters most.",
      "For Marta Ruiz, single sign-on matters most.",
      "Marta Ruiz offered to start the pilot on 14 April.",
      "The contract with Orbit ends on 14 April.",
      "Tom Keller said that they pay about 60,000 a year for Orbit.",
    ],
    foreign: [
      "About 420 people use it, most of them in the warehouses.",
      "Marta Ruiz said that they pay about 60,000 a year for Kestrel.",
      "Tom Keller offered to start the pilot on 21 April.",
    ],
  },
  {
    kind: "prose",
    name: "Zenith Cloud intel.md",
    headings: ["Zenith Cloud", "Company"],
    text: `Zenith Cloud was founded in 2014 in Oslo and moved its headquarters to Rotterdam in 2019. It employs 340 people and serves 1,150 customers.
In May 2025 it acquired Paylane, a billing start-up, for $41 million. Its uptime was 99.2 % last year, while its contract promises 99.9 %. Zenith Cloud does not offer an on-premises edition.`,
    supported: [
      "Zenith Cloud was founded in Oslo in 2014.",
      "The company has had its headquarters in Rotterdam since 2019.",
      "Zenith Cloud has 340 employees.",
      "Around 1,150 customers are served by Zenith Cloud.",
      "Zenith Cloud bought the billing start-up Paylane for $41m in May 2025.",
      "Last year, Zenith Cloud's uptime was 99.2 percent.",
      "Zenith Cloud promises an uptime of 99.9 % in its contract.",
      "There is no on-premises edition of Zenith Cloud.",
      "Zenith Cloud moved to Rotterdam in 2019.",
    ],
    exchanged: [
      "Zenith Cloud was founded in Rotterdam in 2014.",
      "Zenith Cloud was founded in Oslo in 2019.",
      "Zenith Cloud has 1,150 employees.",
      "Zenith Cloud serves 340 customers.",
      "Last year, Zenith Cloud's uptime was 99.9 %.",
      "Zenith Cloud promises an uptime of 99.2 % in its contract.",
      "Zenith Cloud acquired Paylane in 2019.",
      "Paylane acquired Zenith Cloud in May 2025 for $41 million.",
      "Zenith Cloud offers an on-premises edition.",
    ],
    foreign: [
      "Zenith Cloud was founded in Bergen in 2014.",
      "Zenith Cloud has 430 employees.",
      "Zenith Cloud acquired Paylane for $14 million.",
    ],
  },
  {
    kind: "German",
    name: "Wettbewerb Falkner.md",
    headings: ["Falkner", "Preise und Vertrag"],
    text: `Falkner verlangt 29,50 € pro Nutzer und Monat. Die Einrichtung kostet einmalig 3.800 €.
Die Mindestlaufzeit beträgt 24 Monate, die Kündigungsfrist drei Monate.
Laufzeit: 24 Monate
Ansprechpartner: Jonas Weidel
Der Support antwortet werktags innerhalb von acht Stunden. Falkner ist seit dem 1. Februar 2024 nach ISO 27001 zertifiziert.`,
    supported: [
      "Falkner kostet 29,50 € je Nutzer im Monat.",
      "Die Einrichtung schlägt einmalig mit 3.800 Euro zu Buche.",
      "Die Mindestlaufzeit liegt bei 24 Monaten.",
      "Die Kündigungsfrist beträgt 3 Monate.",
      "Ansprechpartner bei Falkner ist Jonas Weidel.",
      "Falkner ist seit dem 01.02.2024 nach ISO 27001 zertifiziert.",
      "Der Support von Falkner antwortet an Werktagen innerhalb von 8 Stunden.",
      "Falkner charges €29.50 per user per month.",
      "Falkner's setup costs €3,800 once.",
      "The minimum term at Falkner is 24 months.",
    ],
    exchanged: [
      "Falkner kostet 3.800 € je Nutzer im Monat.",
      "Die Einrichtung kostet einmalig 29,50 €.",
      "Die Mindestlaufzeit liegt bei drei Monaten.",
      "Die Kündigungsfrist beträgt 24 Monate.",
      "Der Support antwortet werktags innerhalb von 24 Stunden.",
      "Der Support antwortet innerhalb von drei Stunden.",
      "The minimum term at Falkner is three months.",
    ],
    foreign: [
      "Falkner kostet 39,50 € je Nutzer im Monat.",
      "Ansprechpartner bei Falkner ist Petra Lind.",
      "Falkner ist seit dem 1. März 2024 nach ISO 27001 zertifiziert.",
      "Falkner ist nach ISO 9001 zertifiziert.",
    ],
  },
  {
    kind: "table",
    name: "Win loss review.docx",
    headings: ["Win loss review 2025", "Results by region"],
    text: `Region | Won | Lost | Win rate | Average deal
DACH | 41 | 33 | 55.4 % | 62,400
Nordics | 18 | 27 | 40.0 % | 48,900
Iberia | 12 | 9 | 57.1 % | 35,200`,
    supported: [
      "In DACH we won 41 deals and lost 33.",
      "The win rate in the Nordics was 40 %.",
      "Iberia had the average deal at 35,200.",
      "We lost 27 deals in the Nordics.",
      "DACH's win rate stood at 55.4 percent.",
      "The average deal in DACH was 62.4k.",
      "Nordics: 18 won.",
      "We won 12 deals in Iberia.",
      "Iberia's win rate was 57.1 %, with nine losses.",
    ],
    exchanged: [
      "In DACH we won 33 deals and lost 41.",
      "The win rate in the Nordics was 57.1 %.",
      "We lost 27 deals in DACH.",
      "We won 27 deals in the Nordics.",
      "The average deal in Iberia was 62,400.",
      "DACH's win rate stood at 40.0 %.",
      "Iberia's win rate was 55.4 %.",
    ],
    foreign: ["In DACH we won 44 deals.", "The win rate in Benelux was 40 %.", "The average deal in DACH was 64,200."],
  },
  {
    kind: "prose",
    name: "Note on Harbor Freight.md",
    headings: ["Harbor Freight"],
    text: `The Harbor Freight deal was lost because Orbit offered a three-year price lock. The buyer, Ines Kohl, preferred our reporting, but her CFO, Paul Brandt, insisted on fixed costs.
Orbit quoted $210,000 for three years; we quoted $245,000. The decision fell on 9 May 2025. A second chance comes in 2028, when the contract with Orbit runs out.`,
    supported: [
      "We lost Harbor Freight because Orbit offered a price lock of three years.",
      "Ines Kohl preferred our reporting.",
      "The CFO, Paul Brandt, insisted on fixed costs.",
      "Orbit's quote was $210k for three years.",
      "Our own quote was $245,000.",
      "Harbor Freight decided on May 9, 2025.",
      "The contract with Orbit runs out in 2028.",
      "Paul Brandt wanted fixed costs.",
    ],
    exchanged: [
      "Paul Brandt preferred our reporting.",
      "Ines Kohl insisted on fixed costs.",
      "Orbit quoted $245,000 for three years.",
      "We quoted $210,000.",
      "The CFO is Ines Kohl.",
      "The contract with Orbit runs out in 2025.",
      "The decision fell in 2028.",
    ],
    foreign: [
      "The CFO, Karl Brandt, insisted on fixed costs.",
      "Orbit quoted $201,000 for three years.",
      "We lost Harbor Freight because Kestrel offered a three-year price lock.",
    ],
  },
]
