import type { Claims } from "./claims.ts"

/** More of the half that the verifier is tuned on: several subjects in one text. */
export const WORK_MORE: ReadonlyArray<Claims> = [
  {
    kind: "prose",
    name: "Landscape 2026.md",
    headings: ["Landscape", "Vendors"],
    text: `Ardent has a win share of 31 % in the mid-market, whereas Solvane reaches 17 %. Ardent received $120 million in January 2026 from Halden Capital; Solvane got its last money in 2021, when Brightwater put in $18 million.
Solvane's chief executive, Lena Frost, left in 2023 and was replaced by Victor Amsel. Ardent does not sell in Japan, but Solvane does.`,
    supported: [
      "Ardent has a win share of 31 percent in the mid-market.",
      "Solvane's share is 17 %.",
      "Halden Capital gave Ardent $120m in January 2026.",
      "Brightwater invested $18 million in Solvane.",
      "Victor Amsel replaced Lena Frost at Solvane.",
      "Lena Frost, Solvane's chief executive, left in 2023.",
      "Ardent does not sell in Japan.",
      "Solvane's last money came in 2021.",
    ],
    exchanged: [
      "Solvane has a win share of 31 % in the mid-market.",
      "Ardent's share is 17 %.",
      "Halden Capital gave Solvane $120 million.",
      "Solvane received $120 million in January 2026.",
      "Brightwater invested $120 million in Solvane.",
      "Ardent got its last money in 2021.",
      "Lena Frost replaced Victor Amsel at Solvane.",
      "Victor Amsel left in 2023.",
      "Ardent sells in Japan.",
    ],
    foreign: ["Halden Capital gave Ardent $210 million.", "Victor Hansel replaced Lena Frost at Solvane."],
  },
  {
    kind: "transcript",
    name: "Call Pinecrest.vtt",
    headings: [],
    text: `[00:01:05] Owen Price: We run 120 stores in Spain and 45 in Italy.
[00:01:20] Greta Lang: What does an order cost you to handle?
[00:01:33] Owen Price: About 11 euros, at 4,000 orders a week.
[00:02:08] Greta Lang: Customers like you get to 7 euros after four months.
[00:02:40] Owen Price: Our board meets in three weeks. Solvane lost our tender in 2024.
[00:03:02] Greta Lang: You get the offer by 12 May.`,
    supported: [
      "Owen Price runs 120 stores in Spain.",
      "Pinecrest has 45 stores in Italy.",
      "An order costs them about €11 to handle.",
      "Greta Lang said that customers get to 7 euros after 4 months.",
      "Pinecrest handles 4,000 orders per week.",
      "Greta Lang promised the offer by May 12.",
      "Solvane lost their tender in 2024.",
      "The board meets in 3 weeks.",
    ],
    exchanged: [
      "Pinecrest has 45 stores in Spain.",
      "Owen Price runs 120 stores in Italy.",
      "An order costs them about 7 euros to handle.",
      "Greta Lang said that customers get to 11 euros after four months.",
      "Owen Price promised the offer by 12 May.",
      "The board meets in four months.",
      "Greta Lang runs 120 stores in Spain.",
    ],
    foreign: ["Pinecrest has 54 stores in Italy.", "Ardent lost their tender in 2024."],
  },
  {
    kind: "table",
    name: "Quarter by rep.xlsx",
    headings: ["Quarter by rep"],
    text: `Seller | Open | Pipeline | Won amount | Attainment
Ruth Calder | 14 | 720,000 | 305,000 | 61 %
Ivo Maric | 26 | 1,510,000 | 640,000 | 128 %
Sana Qureshi | 19 | 1,075,000 | 480,000 | 96 %`,
    supported: [
      "Ruth Calder has 14 open deals.",
      "Ivo Maric's pipeline is 1.51 million.",
      "Sana Qureshi attained 96 percent.",
      "Ivo Maric won 640k.",
      "Sana Qureshi has a pipeline of 1,075,000.",
      "Ruth Calder stands at 61 % attainment.",
    ],
    exchanged: [
      "Ruth Calder has 26 open deals.",
      "Ivo Maric's pipeline is 640,000.",
      "Sana Qureshi attained 128 %.",
      "Ivo Maric won 480,000.",
      "Ruth Calder's pipeline is 305,000.",
      "Sana Qureshi has a pipeline of 1.51m.",
      "Ruth Calder won 720,000.",
    ],
    foreign: ["Ruth Calder has 41 open deals.", "Nina Calder has 14 open deals."],
  },
  {
    kind: "prose",
    name: "RE: Terms Oakfield.eml",
    headings: ["RE: Terms Oakfield"],
    text: `Oakfield accepts 45 days of notice; we had offered 90 days. Their lawyer, Simon Vale, wants the data kept in Frankfurt, our lawyer prefers Dublin. The cap is EUR 300,000 for them and EUR 150,000 for us.
The pilot starts in Lyon on 6 June 2026 and in Turin on 20 August 2026.`,
    supported: [
      "Oakfield accepts a notice of 45 days.",
      "We offered 90 days of notice.",
      "Simon Vale wants the data to stay in Frankfurt.",
      "Our lawyer prefers Dublin.",
      "The pilot begins in Lyon on June 6, 2026.",
      "In Turin, the pilot starts on 20 August 2026.",
      "Simon Vale is Oakfield's lawyer.",
    ],
    exchanged: [
      "Oakfield accepts a notice of 90 days.",
      "We offered 45 days of notice.",
      "Simon Vale wants the data to stay in Dublin.",
      "Our lawyer prefers Frankfurt.",
      "The pilot begins in Turin on June 6, 2026.",
      "In Lyon, the pilot starts on 20 August 2026.",
    ],
    foreign: ["Simon Dale wants the data to stay in Frankfurt.", "The pilot begins in Nantes on June 6, 2026."],
  },
  {
    kind: "record",
    source: "deal",
    name: "Harrow Mills rollout",
    text: `Harrow Mills rollout

Amount: 212,000
Stage: Closed Won
Close date: 2026-02-27
Created: 2025-09-15
Owner: Dario Conti
Client: Harrow Mills
Region: Nordics
Competitors: Ardent, Solvane
Drivers

Implementation speed, service (positive): The pilot ran within two weeks.
Mobile app, product (negative): Field staff could not work offline.`,
    supported: [
      "Harrow Mills rollout brought in 212k.",
      "We won the Harrow Mills rollout on 27 February 2026.",
      "Dario Conti was the rep.",
      "Implementation speed helped us: the pilot ran within two weeks.",
      "The mobile app counted against us because field staff could not work offline.",
      "Ardent and Solvane were the competitors.",
      "The deal was created on 15 September 2025.",
      "Harrow Mills is in the Nordics.",
    ],
    exchanged: [
      "We won the Harrow Mills rollout on 15 September 2025.",
      "The deal was created on 27 February 2026.",
      "Solvane is the owner of the Harrow Mills rollout.",
      "Dario Conti competed against us.",
      "We lost the Harrow Mills rollout.",
      "The mobile app helped us in the Harrow Mills rollout.",
      "Implementation speed counted against us.",
    ],
    foreign: ["Harrow Mills rollout brought in 221k.", "Dario Corti was the rep."],
  },
  {
    kind: "German",
    name: "Notiz Reben GmbH.docx",
    headings: ["Reben GmbH", "Termin"],
    text: `Vertragswert: 58.000 €
Start: 01.09.2026
Einkäufer: Nils Harder
Reben GmbH hat 9 Werke in Bayern und 3 in Tirol. Heute zahlt Reben GmbH 2.900 € im Monat an Solvane. Der Vorstand fordert eine Schnittstelle zu Datev, die Revision ein Protokoll aller Zugriffe.`,
    supported: [
      "Der Vertragswert beträgt 58.000 Euro.",
      "Start ist am 1. September 2026.",
      "Nils Harder ist der Einkäufer.",
      "Reben GmbH hat neun Werke in Bayern.",
      "In Tirol hat Reben GmbH 3 Werke.",
      "Derzeit zahlt Reben GmbH monatlich 2.900 € an Solvane.",
      "Der Vorstand fordert eine Schnittstelle zu Datev.",
      "The contract value at Reben GmbH is €58k.",
    ],
    exchanged: [
      "Der Vertragswert beträgt 2.900 €.",
      "Reben GmbH hat 3 Werke in Bayern.",
      "In Tirol hat Reben GmbH 9 Werke.",
      "Reben GmbH zahlt Solvane 58.000 € im Monat.",
      "Die Revision fordert eine Schnittstelle zu Datev.",
      "Der Vorstand fordert ein Protokoll aller Zugriffe.",
      "Der Einkäufer ist Solvane.",
    ],
    foreign: [
      "Reben GmbH hat 9 Werke in Sachsen.",
      "Petra Harder ist der Einkäufer.",
      "Start ist am 2. September 2026.",
    ],
  },
]
