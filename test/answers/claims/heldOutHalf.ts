import type { Claims } from "./claims.ts"

/** The half that the verifier is measured on. Nobody tunes on it. */
export const HELD_OUT_HALF: ReadonlyArray<Claims> = [
  {
    kind: "table",
    name: "Support comparison.csv",
    headings: ["Support comparison"],
    text: `Vendor | First response | Hours | Languages
Brightdesk | 30 minutes | 24/7 | 12
Corvia | 4 hours | 8-18 | 5
Lumen One | 1 day | 9-17 | 2`,
    supported: [
      "Brightdesk answers first within 30 minutes.",
      "Corvia's first response takes four hours.",
      "Corvia supports five languages.",
      "Brightdesk offers support in 12 languages.",
      "Lumen One takes 1 day for a first response.",
      "Lumen One's support is available in two languages.",
      "Corvia's support hours are 8-18.",
      "Brightdesk is available 24/7.",
    ],
    exchanged: [
      "Corvia answers first within 30 minutes.",
      "Brightdesk's first response takes 4 hours.",
      "Brightdesk supports five languages.",
      "Corvia supports 12 languages.",
      "Lumen One's support is available in 12 languages.",
      "Lumen One's support hours are 8-18.",
    ],
    foreign: [
      "Brightdesk answers first within 45 minutes.",
      "Corvia supports six languages.",
      "Vireo supports five languages.",
    ],
  },
  {
    kind: "price list",
    name: "Corvia price sheet.pdf",
    headings: ["Corvia", "Price sheet 2026"],
    text: `License, per user and month: EUR 27
Setup, one-time: EUR 6,500
Training day: EUR 1,400
API access: EUR 250 per month
Volume discount from 200 users: 12 %
Volume discount from 1,000 users: 20 %`,
    supported: [
      "Corvia's license costs €27 per user per month.",
      "The one-time setup fee at Corvia is 6,500 euros.",
      "A training day is €1,400.",
      "API access costs EUR 250 monthly.",
      "From 200 users on, Corvia gives a discount of 12 percent.",
      "Customers with 1,000 users or more get 20 % off.",
      "Corvia charges 1.4k EUR for a day of training.",
      "Setup is a one-off cost of EUR 6.5k.",
    ],
    exchanged: [
      "Corvia's license costs €250 per user per month.",
      "The one-time setup fee at Corvia is €1,400.",
      "A training day is €6,500.",
      "API access costs EUR 27 per month.",
      "From 200 users on, Corvia gives a discount of 20 %.",
      "From 1,000 users on, the discount is 12 %.",
    ],
    foreign: [
      "Corvia's license costs €29 per user per month.",
      "From 500 users on, Corvia gives a discount of 12 %.",
      "The one-time setup fee at Lumen One is EUR 6,500.",
    ],
  },
  {
    kind: "record",
    source: "deal",
    name: "Veltra Logistics renewal",
    text: `Veltra Logistics renewal

Amount: 96,500
Stage: Closed Won
Close date: 2026-06-18
Created: 2026-01-22
Owner: Samuel Ortega
Client: Veltra Logistics
Region: Iberia
Type: Renewal
Competitors: Brightdesk, Lumen One
Drivers

Support quality, service (positive): Veltra praised the named support engineer.
Reporting, product (negative): The dashboards were seen as rigid.`,
    supported: [
      "The Veltra Logistics renewal is worth 96.5k.",
      "We won the Veltra Logistics renewal on June 18, 2026.",
      "Samuel Ortega is the owner of the Veltra renewal.",
      "The renewal was opened on 22 January 2026.",
      "Brightdesk and Lumen One competed in the Veltra Logistics renewal.",
      "The account is in the Iberia region.",
      "Support quality helped us: Veltra praised the named support engineer.",
      "Reporting counted against us, because the dashboards were seen as rigid.",
      "Veltra Logistics renewed with an amount of 96,500.",
    ],
    exchanged: [
      "We won the Veltra Logistics renewal on January 22, 2026.",
      "The renewal was opened on 18 June 2026.",
      "Brightdesk owns the Veltra Logistics renewal.",
      "Samuel Ortega competed in the Veltra Logistics renewal.",
      "We lost the Veltra Logistics renewal on June 18, 2026.",
      "Reporting helped us in the Veltra Logistics renewal.",
      "Support quality counted against us in the Veltra Logistics renewal.",
    ],
    foreign: [
      "The Veltra Logistics renewal is worth 95.6k.",
      "Elena Ortega is the owner of the Veltra renewal.",
      "Brightdesk and Corvia competed in the Veltra Logistics renewal.",
    ],
  },
  {
    kind: "transcript",
    name: "Discovery call Fernwood.txt",
    headings: [],
    text: `[00:02:10] Julia Stern: Our team has 85 agents in Leeds and 30 in Porto.
[00:02:41] Amir Haddad: What do you spend on tickets today?
[00:02:55] Julia Stern: About 14 euros per ticket, and we handle 9,000 tickets a month.
[00:03:30] Amir Haddad: We usually bring that down to 9 euros within six months.
[00:04:02] Julia Stern: The security review takes five weeks on our side. Brightdesk failed it last year.
[00:04:40] Amir Haddad: I will send the questionnaire by 3 September.`,
    supported: [
      "Julia Stern's team has 85 agents in Leeds.",
      "Fernwood has 30 agents in Porto.",
      "They spend about €14 per ticket.",
      "Fernwood handles 9,000 tickets per month.",
      "Amir Haddad said that we usually bring the cost down to 9 euros in six months.",
      "Fernwood's security review takes 5 weeks.",
      "Brightdesk failed the security review last year.",
      "Amir Haddad will send the questionnaire by September 3.",
    ],
    exchanged: [
      "Fernwood has 30 agents in Leeds.",
      "Julia Stern's team has 85 agents in Porto.",
      "They spend about 9 euros per ticket.",
      "Amir Haddad said that we usually bring the cost down to 14 euros.",
      "Julia Stern will send the questionnaire by 3 September.",
      "The security review takes six months.",
    ],
    foreign: [
      "Fernwood handles 19,000 tickets per month.",
      "Corvia failed the security review last year.",
      "Amir Haddad will send the questionnaire by 13 September.",
    ],
  },
  {
    kind: "prose",
    name: "Analyst brief.md",
    headings: ["Market", "Help desks"],
    text: `Brightdesk leads the segment with a market share of 23 %, while Corvia holds 14 %. Brightdesk raised $80 million in February 2026 from Northgate Partners; Corvia last raised money in 2022, when Elm Street Capital invested $25 million.
Corvia's founder, Mia Lund, stepped down in 2024 and was succeeded by Oskar Brandt. Brightdesk has no offices in Asia.`,
    supported: [
      "Brightdesk is the leader with 23 % market share.",
      "Corvia has a market share of 14 percent.",
      "Northgate Partners put $80m into Brightdesk in February 2026.",
      "Corvia's last round was in 2022.",
      "Elm Street Capital invested $25 million in Corvia.",
      "Mia Lund, the founder of Corvia, stepped down in 2024.",
      "Oskar Brandt succeeded Mia Lund at Corvia.",
      "Brightdesk does not have any office in Asia.",
    ],
    exchanged: [
      "Corvia has a market share of 23 %.",
      "Brightdesk holds a market share of 14 %.",
      "Northgate Partners invested $25 million in Corvia.",
      "Corvia raised $80 million in February 2026.",
      "Brightdesk last raised money in 2022.",
      "Mia Lund succeeded Oskar Brandt at Corvia.",
      "Oskar Brandt stepped down in 2024.",
      "Brightdesk has offices in Asia.",
    ],
    foreign: [
      "Corvia has a market share of 17 %.",
      "Elm Street Capital invested $52 million in Corvia.",
      "Brightdesk's founder, Mia Lunt, stepped down.",
    ],
  },
  {
    kind: "German",
    name: "Gesprächsnotiz Tannhof.docx",
    headings: ["Tannhof", "Gesprächsnotiz"],
    text: `Auftragswert: 74.000 €
Entscheidung: 15.10.2026
Entscheiderin: Carla Ettinger
Wettbewerber: Corvia
Tannhof betreibt 18 Lager in Deutschland und 4 in Polen. Bisher zahlt Tannhof 5.200 € im Monat an Corvia. Die Geschäftsführung verlangt eine Anbindung an SAP, der Betriebsrat eine Auswertung ohne Namen.`,
    supported: [
      "Der Auftragswert bei Tannhof liegt bei 74.000 Euro.",
      "Tannhof entscheidet am 15. Oktober 2026.",
      "Carla Ettinger trifft die Entscheidung.",
      "Tannhof hat 18 Lager in Deutschland.",
      "In Polen betreibt Tannhof vier Lager.",
      "Tannhof zahlt Corvia derzeit 5.200 € monatlich.",
      "Der Betriebsrat verlangt eine Auswertung ohne Namen.",
      "The deal with Tannhof is worth €74k.",
      "Tannhof's decision is due on October 15, 2026.",
      "The competitor at Tannhof is Corvia.",
    ],
    exchanged: [
      "Der Auftragswert bei Tannhof liegt bei 5.200 €.",
      "Tannhof hat 4 Lager in Deutschland.",
      "In Polen betreibt Tannhof 18 Lager.",
      "Tannhof zahlt Corvia derzeit 74.000 € im Monat.",
      "Der Betriebsrat verlangt eine Anbindung an SAP.",
      "Die Geschäftsführung verlangt eine Auswertung ohne Namen.",
      "The competitor at Tannhof is Carla Ettinger.",
    ],
    foreign: [
      "Der Auftragswert bei Tannhof liegt bei 47.000 Euro.",
      "Tannhof hat 18 Lager in Österreich.",
      "Tannhof entscheidet am 16. Oktober 2026.",
      "Karla Wendt trifft die Entscheidung.",
    ],
  },
  {
    kind: "table",
    name: "Pipeline review.xlsx",
    headings: ["Pipeline review, third quarter"],
    text: `Rep | Open deals | Pipeline | Closed won | Quota reached
Dana Whitlock | 23 | 1,240,000 | 410,000 | 82 %
Felix Arnaud | 17 | 965,000 | 530,000 | 106 %
Priya Nair | 31 | 1,880,000 | 295,000 | 59 %`,
    supported: [
      "Dana Whitlock has 23 open deals.",
      "Felix Arnaud's pipeline is 965k.",
      "Priya Nair reached 59 percent of her quota.",
      "Felix Arnaud exceeded his quota, at 106 %.",
      "Priya Nair's pipeline amounts to 1.88 million.",
      "Dana Whitlock closed 410,000.",
      "Priya Nair has 31 deals open.",
      "Dana Whitlock has a pipeline of 1.24m and reached 82 % of quota.",
    ],
    exchanged: [
      "Dana Whitlock has 31 open deals.",
      "Felix Arnaud's pipeline is 1,240,000.",
      "Priya Nair reached 106 % of her quota.",
      "Dana Whitlock's pipeline is 410,000.",
      "Felix Arnaud closed 295,000.",
      "Dana Whitlock has a pipeline of 1.88m.",
    ],
    foreign: [
      "Dana Whitlock has 27 open deals.",
      "Felix Arnaud reached 160 % of his quota.",
      "Nora Whitlock has 23 open deals.",
    ],
  },
  {
    kind: "prose",
    name: "RE: Contract Marlow Group.eml",
    headings: ["RE: Contract Marlow Group"],
    text: `Marlow Group will sign for two years instead of three. Their procurement lead, Hannah Osei, asked for payment within 60 days; our standard is 30 days. Legal accepts a liability cap of $500,000, but Marlow wants $750,000.
The rollout begins in Bristol on 2 November 2026 and in Cardiff on 11 January 2027.`,
    supported: [
      "Marlow Group will sign for 2 years.",
      "Hannah Osei, who leads procurement, wants payment within 60 days.",
      "Our standard payment term is 30 days.",
      "Legal would accept a liability cap of $500k.",
      "Marlow wants a liability cap of $750,000.",
      "The rollout starts in Bristol on November 2, 2026.",
      "In Cardiff, the rollout begins on 11 January 2027.",
      "Hannah Osei is the procurement lead at Marlow Group.",
    ],
    exchanged: [
      "Our standard payment term is 60 days.",
      "Hannah Osei wants payment within 30 days.",
      "Legal would accept a liability cap of $750,000.",
      "Marlow wants a liability cap of $500,000.",
      "The rollout starts in Cardiff on November 2, 2026.",
      "In Bristol, the rollout begins on 11 January 2027.",
    ],
    foreign: [
      "Marlow Group will sign for two years, says Hanna Osborne.",
      "Marlow wants a liability cap of $780,000.",
      "The rollout starts in Swansea on November 2, 2026.",
    ],
  },
]
