/** The texts of `<sightline-ask>`. `#` stands for a number. */
export interface AskTexts {
  /** The accessible name of the field. */
  readonly question: string
  readonly placeholder: string
  /** The accessible name of the conversation. */
  readonly answers: string
  readonly ask: string
  readonly stop: string
  readonly waiting: string
  readonly done: string
  readonly stopped: string
  readonly failed: string
  readonly again: string
  readonly source: string
  readonly oneSource: string
  readonly sources: string
  /** The accessible name of a table or code that scrolls. */
  readonly table: string
}

const ENGLISH: AskTexts = {
  question: "Your question",
  answers: "Answers",
  placeholder: "Ask about deals, competitors and documents",
  ask: "Ask",
  stop: "Stop",
  waiting: "Looking for the answer…",
  done: "The answer is complete.",
  stopped: "Stopped.",
  failed: "The answer failed:",
  again: "Try again",
  source: "Source #",
  oneSource: "1 source",
  sources: "# sources",
  table: "Table",
}

const GERMAN: AskTexts = {
  question: "Ihre Frage",
  answers: "Antworten",
  placeholder: "Fragen Sie nach Deals, Wettbewerbern und Dokumenten",
  ask: "Fragen",
  stop: "Anhalten",
  waiting: "Die Antwort wird gesucht …",
  done: "Die Antwort ist vollständig.",
  stopped: "Angehalten.",
  failed: "Die Antwort ist fehlgeschlagen:",
  again: "Noch einmal",
  source: "Quelle #",
  oneSource: "1 Quelle",
  sources: "# Quellen",
  table: "Tabelle",
}

/** The texts in a language: English, or German for `de` and `de-CH`. */
export const textsIn = (language: string): AskTexts => (/^de\b/i.test(language) ? GERMAN : ENGLISH)
