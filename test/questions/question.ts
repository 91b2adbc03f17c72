/** The kinds of question; the bench reports each by itself. */
export const TYPES = [
  "count",
  "sum",
  "average",
  "rate",
  "grouped",
  "ranked",
  "compared",
  "trend",
  "share",
  "cycle",
  "age",
  "score",
  "reasons",
  "features",
  "filters",
  "follow-up",
  "misspelt",
  "ambiguous",
  "language",
  "greeting",
  "brief",
  "documents",
  "library",
  "unanswerable",
] as const
export type Type = (typeof TYPES)[number]

/** `demo` is built by our own generator, `crm` is imported from the public CRM set. */
export type WorkspaceName = "demo" | "crm"

export type Language = "en" | "de" | "es" | "fr"

/** A phrase that an answer must contain, or a choice of phrases. Case, accents and dashes do not count. */
export type Phrase = string | ReadonlyArray<string>

/** The contents of a right answer. SQL runs over the views of `truths.ts`. */
export type Truth =
  | {
      /**
       * Rows that the answer must show. A column `name` labels a row; alternatives are separated by `|`. `rate…` and `share…` are
       * fractions, `days…` may differ by the hour at which a day begins. Other text columns are phrases of the row.
       */
      readonly kind: "rows"
      /** One query for each fair reading of the question. */
      readonly sql: ReadonlyArray<string>
      /** For a ranking: the answer's first rows are the first of these, in this order. Equal rows may change places. */
      readonly first?: number
    }
  /** Values of a row that the answer shows anywhere: a brief. */
  | { readonly kind: "tells"; readonly sql: ReadonlyArray<string> }
  /** A fact of a text, with a citation. */
  | { readonly kind: "says"; readonly phrases: ReadonlyArray<Phrase> }
  /** The question cannot be answered: the answer says so and names these. */
  | { readonly kind: "refuses"; readonly names: ReadonlyArray<Phrase> }
  /** The question is ambiguous: the answer asks back with these candidates, or with those of the column `name`. */
  | { readonly kind: "asks"; readonly candidates: ReadonlyArray<string> }
  | { readonly kind: "asksOf"; readonly sql: ReadonlyArray<string> }
  /** The answer says what the workspace holds and proposes three questions. */
  | { readonly kind: "introduces" }

export interface Question {
  readonly id: string
  readonly type: Type
  readonly workspace: WorkspaceName
  readonly language: Language
  /** The messages of a person, in order. The answer to the last one is graded. */
  readonly turns: readonly [string, ...ReadonlyArray<string>]
  readonly truth: Truth
}

export const rows = (...sql: ReadonlyArray<string>): Truth => ({ kind: "rows", sql })
export const ranking = (first: number, ...sql: ReadonlyArray<string>): Truth => ({ kind: "rows", sql, first })
export const tells = (...sql: ReadonlyArray<string>): Truth => ({ kind: "tells", sql })
export const says = (...phrases: ReadonlyArray<Phrase>): Truth => ({ kind: "says", phrases })
export const refuses = (...names: ReadonlyArray<Phrase>): Truth => ({ kind: "refuses", names })
export const asks = (...candidates: ReadonlyArray<string>): Truth => ({ kind: "asks", candidates })
export const asksOf = (...sql: ReadonlyArray<string>): Truth => ({ kind: "asksOf", sql })
export const introduces: Truth = { kind: "introduces" }

/** Questions of one type about one workspace. Each entry is the turns of a conversation, with the truth about the last one. */
export const questions = (
  type: Type,
  workspace: WorkspaceName,
  entries: Readonly<Record<string, readonly [turns: string | Question["turns"], truth: Truth, language?: Language]>>,
): ReadonlyArray<Question> =>
  Object.entries(entries).map(([id, [turns, truth, language = "en"]]) => ({
    id: `${type}/${workspace}/${id}`,
    type,
    workspace,
    language,
    turns: typeof turns === "string" ? [turns] : turns,
    truth,
  }))
