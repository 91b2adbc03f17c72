/** The words of a language that questions about numbers use, with the English words of the same slots. */
export interface Lexicon {
  /** Words that only this language has, by which a question shows its language. */
  readonly signs: string
  /** Whether nouns begin with a capital as names do. */
  readonly hasCapitalNouns?: boolean
  /** Numbers, days, periods, amounts and common names, before the other words. */
  readonly facts?: ReadonlyArray<readonly [pattern: string, english: string]>
  /** Replacements of parts of words, before the others. */
  readonly elisions?: ReadonlyArray<readonly [pattern: string, replacement: string]>
  /** Patterns of whole words, the longest phrases first, and their English. */
  readonly words: ReadonlyArray<readonly [pattern: string, english: string]>
}
