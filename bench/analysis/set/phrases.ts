/**
 * The sentences of one half of the set. `{F}` is a feature, `{C}` a competitor, `{R}` a topic of a reason, `{N}` a number. The
 * halves share no sentence.
 */
export interface Phrases {
  /** By the effect of what the buyer says about a feature. */
  readonly feature: {
    readonly positive: ReadonlyArray<string>
    readonly negative: ReadonlyArray<string>
    readonly neutral: ReadonlyArray<string>
    /** Marked as sarcasm in the transcript: they mean the opposite. */
    readonly sarcastic: ReadonlyArray<string>
  }
  /** The seller praises a feature. */
  readonly pitch: ReadonlyArray<string>
  /** By the effect on the seller: praise of a competitor is negative. */
  readonly competitor: {
    readonly positive: ReadonlyArray<string>
    readonly negative: ReadonlyArray<string>
    readonly neutral: ReadonlyArray<string>
  }
  /** The seller mentions a competitor: a trap, because no buyer says it. */
  readonly rivalOfSeller: ReadonlyArray<string>
  /** Sentences with a competitor's name as an ordinary word, by that word. */
  readonly ordinary: Readonly<Record<string, ReadonlyArray<string>>>
  /** By reason. */
  readonly reason: Readonly<
    Record<string, { readonly positive: ReadonlyArray<string>; readonly negative: ReadonlyArray<string> }>
  >
  readonly promise: ReadonlyArray<string>
  readonly withdrawal: ReadonlyArray<string>
  readonly smallTalk: ReadonlyArray<string>
  readonly questions: ReadonlyArray<string>
  readonly note: ReadonlyArray<string>
}
