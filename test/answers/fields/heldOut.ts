import type { FieldClaims } from "./judge.ts"

/** Written before the rules, and not read while they were tuned. */
export const HELD_OUT: ReadonlyArray<FieldClaims> = [
  {
    language: "en",
    document: "corvane-battlecard.md",
    headings: ["Corvane battlecard", "Price and terms"],
    text: `Corvane charges $58 per user per month on the Growth plan and $94 on the Scale plan, with at least 40 users. Its setup fee is $12,500, paid once. Corvane's contracts run for 24 months and renew automatically unless the customer gives 90 days' notice. A customer is usually live within six weeks. Corvane is certified to ISO 27001 and hosts its data in Dublin.`,
    paraphrase: [
      "Growth costs $58 a month for each user at Corvane, and Scale costs $94.",
      "You pay Corvane a one-time setup charge of 12.5k dollars.",
      "With Corvane, customers sign for two years.",
      "To leave Corvane, a client has to cancel three months ahead, with 90 days of notice.",
      "Corvane requires a minimum of forty users.",
    ],
    value: [
      "Corvane's setup fee is $94.",
      "On the Growth plan, Corvane asks for $94 per user.",
      "Corvane's notice period is 24 days.",
    ],
    subject: ["Corvane is certified to ISO 27001 and hosted in Growth."],
    number: ["Corvane's setup fee is $12,500, with a 15 % discount for startups."],
    name: ["Corvane hosts its data in Dublin and Singapore."],
    negated: ["Corvane's contracts do not renew automatically."],
  },
  {
    language: "en",
    document: "Plans 2026.xlsx",
    headings: ["Tarvos plans"],
    text: `Plan | List price per seat | Seats included | Storage | Support answers within
Solo | $12 | 1 | 20 GB | 48 hours
Studio | $31 | 8 | 250 GB | 24 hours
Agency | $66 | 30 | 2 TB | 4 hours`,
    paraphrase: [
      "A Studio seat at Tarvos goes for thirty-one dollars.",
      "The Agency package comes with 30 seats.",
      "Agency customers hear back from support in four hours.",
      "Solo includes 20 GB of storage.",
    ],
    value: ["Tarvos charges $66 per seat for Studio.", "The Solo plan's support responds within 24 hours."],
    subject: ["The Agency plan includes 250 GB of storage.", "Studio offers 30 seats."],
    number: ["The Studio plan costs $29 per seat when billed yearly."],
    name: ["The Premier plan has 30 seats."],
    negated: ["The Agency plan does not include storage of 2 TB."],
  },
  {
    language: "en",
    source: "deal",
    document: "Halvorsen Freight renewal",
    text: `Halvorsen Freight renewal

Amount: 286,000
Stage: Closed Won
Close date: 2026-05-19
Created: 2025-12-02
Owner: Priya Nair
Collaborators: Tom Ellery
Client: Halvorsen Freight
Region: Nordics
Competitors: Corvane, Tarvos
Type: Renewal
Products: Routing, Insights
Drivers
Positive: faster onboarding
Negative: no offline mode`,
    paraphrase: [
      "Priya Nair won the Halvorsen Freight renewal, worth $286k.",
      "The renewal closed on 19 May 2026.",
      "Corvane was one of the rivals in the Halvorsen deal.",
      "The account executive on Halvorsen Freight is Priya Nair, supported by Tom Ellery.",
      "What counted against us at Halvorsen Freight was the missing offline mode.",
    ],
    value: ["The Halvorsen Freight renewal closed on 2 December 2025."],
    subject: [
      "Tom Ellery owns the Halvorsen Freight renewal.",
      "The Halvorsen Freight deal was lost to Corvane.",
      "The competitor in the deal was Routing.",
    ],
    number: ["The Halvorsen Freight renewal was won for $310k."],
    name: ["Halvorsen Freight chose us over Corvane, Tarvos and Flexport."],
    negated: ["The Halvorsen Freight renewal was not won."],
  },
  {
    language: "en",
    document: "Interview with Delmont Foods.md",
    headings: ["Win/loss interview: Delmont Foods"],
    text: `We spoke with Karen Osei, head of operations at Delmont Foods, on 8 September 2025. Delmont chose Pellar over us in the last week of August. Karen Osei said that Pellar quoted €71,000 a year, while our offer stood at €88,000. Price was not the main reason, she told us: Pellar already had an interface to SAP, and ours would have taken four months. Of the 14 people in the evaluation, nine preferred Pellar. Our demo convinced the warehouse team, but the finance director, Luis Prado, wanted a supplier with an office in Lyon.`,
    paraphrase: [
      "Delmont Foods picked Pellar rather than us.",
      "Pellar's offer came to 71k euros per year, ours to 88k euros.",
      "Nine out of fourteen evaluators favoured Pellar.",
      "Building our SAP interface would have needed 4 months.",
      "The finance director, Luis Prado, insisted on a vendor with an office in Lyon.",
      "Karen Osei, who heads operations at Delmont Foods, was interviewed on September 8, 2025.",
    ],
    value: ["Our offer was €71,000 a year.", "Fourteen people preferred Pellar."],
    subject: ["Delmont Foods chose us over Pellar.", "Karen Osei wanted a supplier with an office in Lyon."],
    number: ["Pellar's interface to SAP was ready within 6 weeks."],
    name: ["Delmont Foods compared Pellar with Oracle."],
    negated: ["Pellar did not have an interface to SAP."],
  },
  {
    language: "en",
    document: "call-notes-brightwell.txt",
    headings: [],
    text: `Maya Lindqvist: We have 340 drivers today and will have 500 by the end of next year.
Jonas Weir: Then the Fleet plan makes sense. It is $9 per driver per month.
Maya Lindqvist: Our budget is $40,000 for the first year, and I need a decision by 30 June.
Jonas Weir: We can take off ten percent if you sign for three years.
Maya Lindqvist: Our biggest worry is downtime. Last quarter, Quillon was down for 11 hours.
Jonas Weir: Our uptime last year was 99.95 %.`,
    paraphrase: [
      "Maya Lindqvist has a first-year budget of $40k.",
      "They currently have three hundred and forty drivers.",
      "Jonas Weir offered a 10% discount for a three-year contract.",
      "Quillon had 11 hours of downtime in the last quarter.",
      "The decision has to be made by June 30.",
    ],
    value: ["They have 500 drivers today.", "Their budget is $9 for the first year."],
    subject: ["Our service was down for 11 hours last quarter.", "Jonas Weir needs a decision by 30 June."],
    number: ["Maya Lindqvist expects 1,200 drivers by 2028."],
    name: ["Maya Lindqvist said that Samsara was down for 11 hours."],
    negated: [],
  },
  {
    language: "en",
    document: "Q2 review.docx",
    headings: ["Quarterly review", "North America"],
    text: `Bookings in North America rose from $3.1m in Q1 to $3.8m in Q2, an increase of 23 %. The win rate fell from 41 % to 36 %. We won 29 deals and lost 52. The average sales cycle shortened by 12 days, to 74 days. Churn stayed at 2.1 %. Twelve of the lost deals went to Ostrel, mostly because of its lower price. The team hired four account executives in May.`,
    paraphrase: [
      "North American bookings grew 23 percent, to 3.8 million dollars in the second quarter.",
      "Our win rate dropped to 36% from 41%.",
      "A dozen lost deals went to Ostrel.",
      "Sales cycles now average 74 days, 12 fewer than before.",
      "In May, 4 account executives joined the team.",
    ],
    value: ["We won 52 deals and lost 29.", "Bookings were $3.8m in Q1.", "Churn was 23 %."],
    subject: ["The win rate rose from 36 % to 41 %.", "The average sales cycle grew by 12 days."],
    number: ["Ostrel's price is 18 % lower than ours."],
    name: ["Twelve lost deals went to Ostrel and five to Quillon."],
    negated: ["Bookings in North America did not rise in Q2."],
  },
  {
    language: "de",
    document: "Angebot Reuthal.pdf",
    headings: ["Angebot", "Konditionen"],
    text: `Die Reuthal GmbH erhält 120 Lizenzen zum Preis von 34,50 € je Lizenz und Monat. Die Einrichtung kostet einmalig 6.800 €. Die Laufzeit beträgt 36 Monate und beginnt am 1. März 2026. Bei Vorauszahlung gewähren wir 8 % Nachlass. Ansprechpartnerin ist Frau Sabine Kroll. Der Support ist werktags von 8 bis 18 Uhr erreichbar und antwortet innerhalb von vier Stunden. Das Angebot gilt bis zum 15. Januar 2026.`,
    paraphrase: [
      "Reuthal bekommt hundertzwanzig Lizenzen.",
      "Pro Lizenz zahlt Reuthal 34,50 Euro im Monat.",
      "Für die Einrichtung fällt eine einmalige Gebühr von 6800 EUR an.",
      "Der Vertrag läuft drei Jahre, ab 01.03.2026.",
      "Wer im Voraus zahlt, bekommt acht Prozent Rabatt.",
      "The setup costs Reuthal 6,800 euros once.",
    ],
    value: ["Der Support antwortet innerhalb von acht Stunden.", "Das Angebot gilt bis zum 1. März 2026."],
    subject: ["Die Einrichtung kostet 34,50 € pro Monat.", "Die Lizenzen kosten einmalig 6.800 €."],
    number: ["Reuthal zahlt bei Verzug 5 % Zinsen."],
    name: ["Ansprechpartnerin bei Reuthal ist Frau Heike Dorn."],
    negated: ["Bei Vorauszahlung gewähren wir keinen Nachlass."],
  },
  {
    language: "de",
    document: "Gesprächsnotiz Mahlberg.md",
    headings: ["Gesprächsnotiz"],
    text: `Am 12. Oktober sprach ich mit Dr. Petra Vogt, der Leiterin des Einkaufs bei Mahlberg. Mahlberg beschäftigt 1.450 Mitarbeiter an sieben Standorten. Sie haben sich im Juli für Zentrio entschieden und uns abgesagt. Zentrio war mit 210.000 Euro rund 15 Prozent günstiger als wir. Ausschlaggebend war aber die fehlende Schnittstelle zu DATEV. Der Vertrag mit Zentrio endet am 31. Dezember 2027. Der Umsatz von Mahlberg ist 2024 um 6 % gesunken.`,
    paraphrase: [
      "Bei Mahlberg arbeiten 1450 Menschen an 7 Standorten.",
      "Mahlberg hat sich gegen uns und für Zentrio entschieden.",
      "Zentrio lag preislich 15 % unter uns.",
      "Den Vertrag mit Zentrio hat Mahlberg bis Ende 2027, genauer bis zum 31.12.2027.",
      "Petra Vogt leitet den Einkauf von Mahlberg.",
      "Mahlberg's revenue fell by 6 percent in 2024.",
    ],
    value: ["Mahlberg beschäftigt 210.000 Mitarbeiter.", "Zentrio war 6 % günstiger als wir."],
    subject: ["Mahlberg hat Zentrio abgesagt und sich für uns entschieden.", "Zentrio beschäftigt 1.450 Mitarbeiter."],
    number: ["Unser Angebot lag bei 247.000 Euro."],
    name: ["Ausschlaggebend war die fehlende Schnittstelle zu Salesforce."],
    negated: ["Der Umsatz von Mahlberg ist 2024 um 6 % gestiegen."],
  },
  {
    language: "fr",
    document: "Fiche Véloria.docx",
    headings: ["Véloria", "Tarifs"],
    text: `Véloria facture 45 € par utilisateur et par mois dans sa formule Essentiel, et 79 € dans sa formule Avancée. Les frais de mise en service s'élèvent à 3 200 €. La durée minimale du contrat est de douze mois, avec un préavis de trois mois. Véloria compte 650 clients et emploie 85 personnes à Nantes. Le support répond en moins de deux heures. En 2025, son chiffre d'affaires a augmenté de 14 %, à 9,2 millions d'euros.`,
    paraphrase: [
      "La formule Essentiel de Véloria coûte 45 euros par mois et par utilisateur.",
      "La mise en service coûte 3200 €.",
      "Il faut s'engager au moins 12 mois chez Véloria.",
      "Véloria a 650 clients et 85 salariés.",
      "Le chiffre d'affaires de Véloria a progressé de 14 pour cent en 2025, pour atteindre 9,2 M€.",
      "Véloria charges 79 euros per user for its Avancée plan.",
    ],
    value: ["La formule Essentiel coûte 79 € par utilisateur.", "Le préavis est de douze mois."],
    subject: ["Véloria compte 85 clients.", "La mise en service coûte 45 €."],
    number: ["Véloria accorde une remise de 20 % la première année."],
    name: ["Véloria emploie 85 personnes à Nantes et à Bordeaux."],
    negated: ["Le chiffre d'affaires de Véloria n'a pas augmenté en 2025."],
  },
  {
    language: "fr",
    document: "Compte rendu Lacombe.md",
    headings: ["Compte rendu de l'appel"],
    text: `Appel du 4 février 2026 avec Claire Morel, directrice des achats de Lacombe. Lacombe a retenu Sindal pour ses 18 magasins. L'offre de Sindal était de 132 000 € par an, la nôtre de 149 000 €. Selon Claire Morel, notre délai de déploiement de cinq mois a été le principal motif du refus. Sindal s'est engagé à livrer en huit semaines. Leur contrat actuel avec Ormeau prend fin le 30 avril.`,
    paraphrase: [
      "Lacombe a choisi Sindal pour dix-huit magasins.",
      "Sindal proposait 132 k€ par an.",
      "Notre offre s'élevait à 149 000 euros par an.",
      "Sindal a promis une livraison en 8 semaines.",
      "Le contrat avec Ormeau se termine le 30/04.",
    ],
    value: ["L'offre de Sindal était de 149 000 € par an.", "Le contrat avec Ormeau prend fin le 4 février."],
    subject: ["Lacombe a retenu Ormeau pour ses 18 magasins.", "Sindal a besoin de cinq mois pour le déploiement."],
    number: ["Lacombe emploie 2 400 personnes."],
    name: ["Claire Morel a également rencontré Hugo Besson."],
    negated: ["Lacombe n'a pas retenu Sindal."],
  },
  {
    language: "es",
    document: "Ficha Altamar.docx",
    headings: ["Altamar", "Precios y condiciones"],
    text: `Altamar cobra 27 € por usuario al mes en el plan Básico y 52 € en el plan Completo. La cuota de alta es de 1.900 €, que se paga una sola vez. El contrato dura veinticuatro meses y exige un preaviso de 60 días. Altamar tiene 310 clientes en España y su sede está en Valencia. Su soporte responde en menos de seis horas. Los ingresos de 2025 crecieron un 11 %, hasta 7,4 millones de euros.`,
    paraphrase: [
      "El plan Básico de Altamar cuesta 27 euros por usuario y mes.",
      "Altamar pide un pago único de 1900 euros por el alta.",
      "Los contratos de Altamar son de dos años.",
      "Hay que avisar con 60 días de antelación.",
      "Altamar cuenta con 310 clientes en España.",
      "Altamar's revenue grew 11% in 2025, to €7.4m.",
    ],
    value: ["El plan Completo cuesta 27 € por usuario al mes.", "El soporte responde en menos de veinticuatro horas."],
    subject: ["La cuota de alta es de 52 €.", "Altamar tiene 60 clientes en España."],
    number: ["Altamar ofrece un descuento del 25 % a escuelas."],
    name: ["Altamar tiene su sede en Valencia y oficinas en Bilbao."],
    negated: ["Altamar no exige preaviso."],
  },
  {
    language: "es",
    source: "deal",
    document: "Grupo Serrano ampliación",
    text: `Grupo Serrano ampliación

Amount: 64,500
Stage: Closed Lost
Close date: 2026-02-27
Created: 2025-09-15
Owner: Lucía Ferrer
Client: Grupo Serrano
Region: Iberia
Competitors: Altamar
Reason: price
Type: Expansion`,
    paraphrase: [
      "Perdimos la ampliación de Grupo Serrano, de 64.500, frente a Altamar.",
      "La oportunidad se cerró el 27 de febrero de 2026.",
      "La responsable es Lucía Ferrer.",
      "We lost Grupo Serrano's expansion on price.",
    ],
    value: ["La oportunidad se cerró el 15 de septiembre de 2025."],
    subject: ["La responsable de la oportunidad es Altamar.", "Ganamos la ampliación de Grupo Serrano."],
    number: ["Ofrecimos a Grupo Serrano un descuento de 8.000."],
    name: ["Grupo Serrano eligió Nubalia."],
    negated: [],
  },
]
