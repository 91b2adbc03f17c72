import type { FieldClaims } from "../judge.ts"

/** Passages in German. */
export const GERMAN: ReadonlyArray<FieldClaims> = [
  {
    language: "de",
    document: "Wettbewerb Traxon.md",
    headings: ["Traxon", "Preise"],
    text: `Traxon berechnet 41 € pro Arbeitsplatz und Monat, bei mindestens 25 Arbeitsplätzen. Die Einführung kostet 7.200 € und dauert sechs Wochen. Verträge laufen zwei Jahre und verlängern sich automatisch, wenn nicht drei Monate vorher gekündigt wird. Traxon hat 95 Mitarbeiter und sitzt in Leipzig. Seit dem 1. Juli 2025 ist der Tarif Basis um 9 % teurer. Eine Offline-App bietet Traxon nicht an.`,
    paraphrase: [
      "Ein Arbeitsplatz kostet bei Traxon monatlich 41 Euro.",
      "Traxon verlangt eine Mindestabnahme von fünfundzwanzig Arbeitsplätzen.",
      "Für die Einführung zahlt man 7200 €, sie dauert 6 Wochen.",
      "Die Vertragslaufzeit liegt bei 24 Monaten.",
      "Traxon beschäftigt 95 Leute in Leipzig.",
      "Der Basis-Tarif ist seit 01.07.2025 neun Prozent teurer.",
      "Es gibt bei Traxon keine Offline-App.",
      "Traxon's implementation fee is 7,200 euros.",
    ],
    value: ["Die Einführung dauert drei Monate.", "Traxon hat 25 Mitarbeiter.", "Die Einführung kostet 41 €."],
    subject: ["Die Mindestabnahme sind 95 Arbeitsplätze.", "Der Vertrag läuft sechs Wochen."],
    number: ["Traxon gibt 15 % Rabatt für Vereine."],
    name: ["Traxon sitzt in Leipzig und Krakau."],
    negated: ["Traxon bietet eine Offline-App an.", "Der Tarif Basis ist seit Juli 2025 um 9 % billiger."],
  },
  {
    language: "de",
    document: "Protokoll Hesselbach.docx",
    headings: ["Termin bei Hesselbach"],
    text: `Teilnehmer: Jens Albers, Einkauf; Miriam Stolz, IT.
Jens Albers nannte ein Budget von 85.000 € für 2026. Heute nutzt Hesselbach Traxon und zahlt dafür 62.000 € im Jahr. Der Vertrag läuft am 30. September aus. Miriam Stolz fordert eine Anbindung an SAP und einen Serverstandort in Deutschland. Die Entscheidung fällt im Mai. Wir haben 2023 gegen Traxon verloren, weil unser Angebot um 20 % höher lag.`,
    paraphrase: [
      "Hesselbach hat für 2026 ein Budget von 85 Tsd. Euro.",
      "Traxon kostet Hesselbach jährlich 62.000 Euro.",
      "Hesselbachs Vertrag mit Traxon endet am 30.09.",
      "Frau Miriam Stolz von der IT verlangt eine SAP-Anbindung.",
      "2023 haben wir an Traxon verloren, da wir 20 Prozent teurer waren.",
      "In May, Hesselbach will decide.",
    ],
    value: ["Hesselbach zahlt Traxon 85.000 € im Jahr.", "Der Vertrag läuft im Mai aus."],
    subject: [
      "Jens Albers fordert eine Anbindung an SAP.",
      "2023 hat Traxon gegen uns verloren.",
      "Miriam Stolz nannte ein Budget von 85.000 €.",
    ],
    number: ["Hesselbach hat 600 Nutzer."],
    name: ["Miriam Stolz fordert eine Anbindung an Oracle."],
    negated: ["Hesselbach nutzt Traxon nicht."],
  },
  {
    language: "de",
    document: "Absage Kronberg.eml",
    headings: ["AW: Ihr Angebot"],
    text: `Sehr geehrter Herr Thoma,
leider müssen wir Ihnen absagen. Unser Vorstand hat sich für die Lösung von Delvia entschieden. Delvia war mit 47.500 € im Jahr 12 % günstiger, und die Umstellung dauert nur vier Wochen statt zehn. Überzeugt hat uns dagegen Ihre Beratung durch Frau Lenz. Der Vertrag mit Delvia läuft bis Juni 2028. Wir haben 320 Mitarbeiter und drei Werke.
Karin Ostheim, Leiterin IT, Kronberg AG`,
    paraphrase: [
      "Kronberg hat Delvia den Vorzug gegeben.",
      "Delvia kostet jährlich 47.500 Euro und lag damit zwölf Prozent niedriger.",
      "Die Umstellung auf Delvia braucht 4 Wochen.",
      "Kronberg zählt 320 Beschäftigte in 3 Werken.",
      "Der Vertrag mit Delvia endet im Juni 2028.",
      "Karin Ostheim leitet die IT der Kronberg AG.",
      "Kronberg decided in favour of Delvia.",
    ],
    value: ["Die Umstellung auf Delvia dauert zehn Wochen.", "Kronberg hat drei Mitarbeiter."],
    subject: ["Frau Lenz ist Leiterin IT bei Kronberg.", "Delvia war teurer."],
    number: ["Unser Angebot lag bei 53.000 €."],
    name: ["Kronberg verhandelte auch mit Sage."],
    negated: ["Die Beratung durch Frau Lenz hat nicht überzeugt."],
  },
  {
    language: "de",
    document: "Marktnotiz Solwerk.md",
    headings: ["Solwerk", "Unternehmen"],
    text: `Solwerk wurde 2011 in Graz gegründet und hat heute 160 Mitarbeiter. Der Umsatz stieg 2025 von 18 auf 23 Mio. €. Solwerk betreut 900 Kunden in Österreich und der Schweiz. Ein Arbeitsplatz kostet im Tarif Kompakt 28 € und im Tarif Komplett 46 € pro Monat. Die Schulung ist nicht im Preis enthalten, sie kostet 1.200 € je Tag. Geschäftsführerin ist seit April 2023 Nora Winkler. Die Kündigungsfrist beträgt sechs Wochen zum Quartalsende.`,
    paraphrase: [
      "Solwerk beschäftigt 160 Leute.",
      "Das Unternehmen wurde im Jahr 2011 in Graz gegründet.",
      "Der Umsatz von Solwerk lag 2025 bei 23 Millionen Euro.",
      "Solwerk hat in Österreich und der Schweiz 900 Kunden.",
      "Im Tarif Kompakt zahlt man 28 Euro monatlich pro Arbeitsplatz.",
      "Für die Schulung werden pro Tag 1200 Euro berechnet.",
      "Nora Winkler führt Solwerk seit April 2023 als Geschäftsführerin.",
      "Man muss sechs Wochen vor Quartalsende kündigen.",
      "Die Schulung ist im Preis nicht inbegriffen.",
    ],
    value: [
      "Im Tarif Kompakt kostet ein Arbeitsplatz 46 €.",
      "Solwerk hat 900 Mitarbeiter.",
      "Die Kündigungsfrist beträgt 28 Tage.",
    ],
    subject: ["Der Umsatz von Solwerk sank 2025 von 23 auf 18 Mio. €.", "Die Schulung kostet 46 € pro Monat."],
    number: ["Solwerk gibt 5 % Skonto."],
    name: ["Solwerk hat Kunden in Österreich, der Schweiz und Ungarn."],
    negated: ["Die Schulung ist im Preis enthalten."],
  },
  {
    language: "de",
    source: "deal",
    document: "Brandlhof Logistik Einführung",
    text: `Brandlhof Logistik Einführung

Amount: 174,000
Stage: Closed Lost
Close date: 2026-04-30
Created: 2025-08-18
Owner: Lukas Reiter
Client: Brandlhof Logistik
Region: DACH
Competitors: Solwerk
Drivers

Schnittstellen, product (negative): Die Anbindung an das Lagersystem fehlte.
Beratung, service (positive): Der Kunde lobte die Workshops.`,
    paraphrase: [
      "Wir haben Brandlhof Logistik im April 2026 an Solwerk verloren.",
      "Der Auftragswert betrug 174.000.",
      "Lukas Reiter war der verantwortliche Vertriebler.",
      "Die fehlende Anbindung an das Lagersystem sprach gegen uns.",
      "Die Workshops wurden vom Kunden gelobt.",
      "Die Verkaufschance wurde am 18. August 2025 angelegt.",
      "The deal closed on April 30, 2026.",
    ],
    value: ["Die Verkaufschance wurde am 30. April 2026 angelegt."],
    subject: [
      "Wir haben Brandlhof Logistik gewonnen.",
      "Solwerk war der Verantwortliche.",
      "Die Workshops sprachen gegen uns.",
    ],
    number: ["Wir boten einen Rabatt von 9 %."],
    name: ["Brandlhof entschied sich für Traxon."],
    negated: ["Die Anbindung an das Lagersystem fehlte nicht."],
  },
]
