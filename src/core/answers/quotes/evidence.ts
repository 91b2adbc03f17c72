import type { Expected } from "./expected.ts"

/** How much of a question the best sentence has. Shares are of the weight of the question's terms, 0 to 1. */
export interface Evidence {
  /** Terms of the question that the passage, its headings or its title have. */
  readonly found: number
  /** Terms that none of them has. */
  readonly missing: number
  /** Missing terms that are names or numbers. */
  readonly missingNames: number
  /** The share that the sentence has itself. */
  readonly own: number
  /** The share that the sentence and its neighbours have. */
  readonly near: number
  /** The share that the whole passage has. */
  readonly whole: number
  /** The sentence has the rarest term of the question. */
  readonly hasRarest: boolean
  /** The kind of thing that the question asks for, if the sentence has none of it. */
  readonly lacks: Expected
}

/** A sentence without a number answers no "how many", and one without a date rarely a "when". Other kinds made no difference. */
const LACKS: Partial<Readonly<Record<NonNullable<Expected>, number>>> = { number: 1.53, time: 0.47 }

/** The least that evidence must reach. */
const MIN_EVIDENCE = 1.95

/**
 * Whether the best sentence answers the question, or only shares words with it. A text that lacks the answer still has many words of the
 * question, but spread: what stands in other sentences of the passage only counts against it. The weights are a logistic
 * regression on half of the articles of SQuAD; `npm run bench -- answers --only absence` counts both halves.
 */
export const isAnswer = ({ found, missing, missingNames, own, near, whole, hasRarest, lacks }: Evidence): boolean =>
  0.65 * found -
    0.29 * missing -
    0.49 * missingNames +
    3.2 * (own - whole) +
    2.35 * near +
    (hasRarest ? 0.45 : 0) -
    (lacks === undefined ? 0 : (LACKS[lacks] ?? 0)) >=
  MIN_EVIDENCE
