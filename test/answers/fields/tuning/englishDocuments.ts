import type { FieldClaims } from "../judge.ts"

/** Battlecards, reviews and tables in English. */
export const ENGLISH_DOCUMENTS: ReadonlyArray<FieldClaims> = [
  {
    language: "en",
    document: "Flow battlecard.md",
    headings: ["Flow battlecard", "Price and terms"],
    text: `Flow charges $71 per seat per month, with a minimum of 20 seats. Its setup fee is $9,500, paid once. Contracts of Flow renew automatically, with a notice period of 120 days.

Flow has a short pilot: a customer can be live within three weeks. Flow is certified to SOC 2 Type II and hosts customer data in Stockholm.

- Flow has no audit log: customers who need it work around it by hand.
- Support of Flow answers within 26 hours on working days, and not at all at weekends.`,
    paraphrase: [
      "Flow's price is 71 dollars a seat each month.",
      "Flow sells no fewer than twenty seats.",
      "The one-off fee for setting up Flow is $9.5k.",
      "A Flow contract must be cancelled 120 days ahead.",
      "Going live with Flow takes up to 3 weeks.",
      "Customer data is stored in Stockholm by Flow.",
      "An audit log is missing from Flow.",
    ],
    value: ["Flow's setup fee is $71.", "Flow's notice period is 26 days.", "Flow charges $9,500 per seat."],
    subject: ["Flow's support answers within three weeks.", "The pilot of Flow has a minimum of 20 seats."],
    number: ["Flow gives a discount of 12 % to new customers."],
    name: ["Flow hosts customer data in Stockholm and Madrid."],
    negated: ["Flow has an audit log.", "Contracts of Flow do not renew automatically."],
  },
  {
    language: "en",
    document: "Regions.xlsx",
    headings: ["Results 2025"],
    text: `Region | Deals | Won | Lost | Win rate | Average cycle
Benelux | 64 | 25 | 39 | 39.1 % | 81 days
Iberia | 48 | 22 | 26 | 45.8 % | 66 days
Nordics | 90 | 31 | 59 | 34.4 % | 104 days`,
    paraphrase: [
      "In Benelux, 25 deals were won.",
      "Iberia's win rate is 45.8 percent.",
      "We lost fifty-nine deals in the Nordics.",
      "It takes 66 days on average to close a deal in Iberia.",
      "The Nordics have the longest cycle, 104 days on average.",
      "Out of 64 opportunities in Benelux, we lost 39.",
    ],
    value: ["We won 26 deals in Iberia.", "Benelux has a win rate of 34.4 %."],
    subject: ["Iberia's average cycle is 81 days.", "We lost 25 deals in Benelux."],
    number: ["The Nordics target is 40 won deals."],
    name: ["DACH has a win rate of 45.8 %."],
    negated: ["We won no deals in Iberia."],
  },
  {
    language: "en",
    document: "Zelqor news.html",
    headings: ["Zelqor", "Company news"],
    text: `Zelqor raised $48 million in a round led by Peak Harbor on 9 January 2026. The company's revenue grew from $21m to $29m in 2025, and its losses shrank to $3.5m. Headcount increased by 60, to 310. In June, it will drop its free plan and raise the Team price from $15 to $19. Its founder, Olga Brandt, handed over to Neil Ash in 2024.`,
    paraphrase: [
      "Peak Harbor led Zelqor's $48m round on January 9, 2026.",
      "Zelqor's sales rose to 29 million dollars in 2025, from 21 million.",
      "Zelqor employs 310 people, 60 more than before.",
      "The Team plan will cost $19 instead of $15.",
      "Neil Ash took over from Olga Brandt, the founder, in 2024.",
    ],
    value: [
      "Zelqor's losses shrank to $29m.",
      "Zelqor raised $21 million from Peak Harbor.",
      "Headcount increased by 310.",
    ],
    subject: ["Olga Brandt took over from Neil Ash.", "Zelqor's revenue fell in 2025."],
    number: ["Zelqor will have 400 employees by 2027."],
    name: ["Peak Harbor and Sequoia led the round."],
    negated: ["Zelqor's revenue did not grow in 2025.", "Headcount decreased by 60."],
  },
  {
    language: "en",
    document: "RFP answer Orlen Retail.docx",
    headings: ["RFP answer", "Commercial offer"],
    text: `Our platform is billed at $1,850 per store per year for 64 stores. Training is included for the first 10 managers; each further manager costs $240. We guarantee an availability of 99.9 % and credit 5 % of the monthly fee for each hour of outage beyond it. Invoices are due within 45 days. The rollout begins in September 2026 in Warsaw and reaches all stores by February 2027. Orlen Retail may leave after 18 months.`,
    paraphrase: [
      "Each store pays $1,850 annually.",
      "The offer covers 64 stores.",
      "Training beyond the first ten managers is charged at 240 dollars per manager.",
      "The promised uptime is 99.9 percent.",
      "Payment terms are 45 days.",
      "Warsaw is where the rollout kicks off, in September of 2026.",
      "Every store should be live by February 2027.",
      "Orlen Retail can exit the contract after a year and a half, that is 18 months.",
    ],
    value: [
      "Each store pays $240 per year.",
      "Invoices are due within 18 days.",
      "We credit 99.9 % of the monthly fee.",
    ],
    subject: ["Training is included for 64 managers.", "Each further store costs $240."],
    number: ["Orlen Retail gets a discount of 7 %."],
    name: ["The rollout begins in Warsaw and Gdansk."],
    negated: ["Training is not included for the first 10 managers."],
  },
  {
    language: "en",
    document: "Vendor comparison.pptx",
    headings: ["Vendor comparison"],
    text: `Criterion | Cobalt | Vessel | Our product
Entry price | $22 | $17 | $25
Free trial | 14 days | 30 days | 21 days
Integrations | 120 | 45 | 80
Mobile app | yes | no | yes
Data centre | Oregon | Dublin | Frankfurt`,
    paraphrase: [
      "Vessel starts at 17 dollars.",
      "Cobalt's trial lasts two weeks, 14 days.",
      "Our product has eighty integrations.",
      "Vessel has no mobile app.",
      "Vessel's data centre is located in Dublin.",
      "With 120 integrations, Cobalt has the most.",
    ],
    value: ["Cobalt's entry price is $17.", "Vessel offers 120 integrations."],
    subject: ["Our free trial lasts 30 days.", "Cobalt's data centre is in Frankfurt."],
    number: ["Cobalt's enterprise price is $60."],
    name: ["Notion has 45 integrations."],
    negated: ["Vessel has a mobile app.", "Cobalt has no mobile app."],
  },
  {
    language: "en",
    document: "Company profile Larkfield.md",
    headings: ["Larkfield"],
    text: `Larkfield sells scheduling software to hospitals. It serves 480 hospitals in nine countries and has offices in Leeds, Oslo and Turin. Annual recurring revenue reached £26m in 2025, up from £19m a year earlier. Larkfield's basic plan starts at £6 per employee per month; the premium plan adds forecasting for another £4. Setup takes eight weeks on average. It holds ISO 27001 but not SOC 2. Dana Whitlock has been its chief executive since March 2021.`,
    paraphrase: [
      "Larkfield has 480 hospitals as customers.",
      "The company is active in 9 countries.",
      "Its ARR climbed to £26 million in 2025.",
      "The basic plan is priced from £6 per employee each month.",
      "On average, implementation takes about eight weeks.",
      "Dana Whitlock became CEO in March 2021.",
      "Larkfield is ISO 27001 certified.",
      "Larkfield does not have SOC 2.",
      "Hospitals buy Larkfield's scheduling software.",
      "Forecasting costs an extra £4 with the premium plan.",
    ],
    value: [
      "Larkfield serves 26 hospitals.",
      "Larkfield's revenue was £26m in 2024, up from £19m in 2025.",
      "Setup takes nine weeks.",
    ],
    subject: [
      "The basic plan adds forecasting.",
      "Larkfield has 480 employees.",
      "Larkfield holds SOC 2 but not ISO 27001.",
    ],
    number: ["Larkfield employs 230 people."],
    name: ["Larkfield has offices in Leeds, Oslo and Porto.", "Dana Whitlock and Piers Lowe lead Larkfield."],
    negated: ["Larkfield does not hold ISO 27001.", "Larkfield's revenue did not grow in 2025."],
  },
  {
    language: "en",
    document: "Why we won Castell.md",
    headings: ["Win review: Castell Insurance"],
    text: `Castell Insurance picked us over Denlow and Ostrel in May 2026. Their procurement lead, Ivy Marsh, said our pilot made the difference: 36 agents used it for four weeks and closed 28 % more cases. Denlow was cheaper by $15,000 a year, and Ostrel could not host in Canada. Castell signed for three years at $140,000 a year. Legal needed 19 days to approve the data agreement.`,
    paraphrase: [
      "We won Castell Insurance against Denlow and Ostrel.",
      "Castell Insurance chose us in May 2026.",
      "Ivy Marsh credited the pilot.",
      "36 agents took part in the pilot, which lasted four weeks.",
      "Agents resolved 28% more cases.",
      "Denlow undercut us by $15k per year.",
      "Ostrel was unable to host in Canada.",
      "The contract is worth $140k annually over 3 years.",
      "Approval of the data agreement by legal took 19 days.",
      "Denlow lost the Castell deal.",
    ],
    value: ["The contract is worth $15,000 a year.", "The pilot lasted three years.", "Legal needed 28 days."],
    subject: [
      "Castell picked Denlow over us.",
      "Ostrel was cheaper by $15,000 a year.",
      "Denlow could not host in Canada.",
      "We lost Castell Insurance.",
    ],
    number: ["The pilot saved $60,000."],
    name: ["Ivy Marsh and Colin Frey led the evaluation."],
    negated: ["Ostrel could host in Canada.", "Castell did not sign for three years."],
  },
]
