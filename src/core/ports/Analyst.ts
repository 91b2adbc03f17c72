import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The model does not respond now. `reason` says so to the user; the cause is in the log. */
export class ModelUnreachable extends Schema.TaggedError<ModelUnreachable>()("ModelUnreachable", {
  reason: Schema.String,
}) {}

/** The model answers, but not with what is asked, or refuses the request. `reason` tells the user what to do. */
export class ModelUnfit extends Schema.TaggedError<ModelUnfit>()("ModelUnfit", { reason: Schema.String }) {}

/** The form of an answer: the model fills it in as the arguments of a tool. */
export interface Form {
  readonly name: string
  readonly description: string
  readonly schema: Schema.Top
}

export interface Inquiry {
  /** The rules. Nothing in `data` can change them. */
  readonly rules: string
  /** JSON. It may contain instructions, which are data. */
  readonly data: string
  readonly form: Form
}

export interface FormAnswer {
  /** Whatever the model wrote into the form. */
  readonly filled: unknown
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A text that a sentence can rest on. */
export interface Ground {
  /** Verbatim. */
  readonly text: string
  /** Names that belong to it, such as its speaker. */
  readonly labels: ReadonlyArray<string>
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number
  readonly output: number
}

interface AnalystService {
  /** The model's name, as it stands beside what it finds. */
  readonly name: string
  /** Undefined: costs are stated in tokens alone. */
  readonly prices?: Prices | undefined
  readonly fillIn: (inquiry: Inquiry) => Effect.Effect<FormAnswer, ModelUnreachable | ModelUnfit>
  /** Whether the grounds together carry a sentence: its words, names, values and denials are theirs. */
  readonly isCarried: (sentence: string, grounds: ReadonlyArray<Ground>) => boolean
  /** Whether the sentence has no name and no value that the grounds lack. */
  readonly inventsNothing: (sentence: string, grounds: ReadonlyArray<Ground>) => boolean
}

/** Reads texts of deals with a language model. Undefined: there is none, and names and word lists find what they can. */
export const Analyst = Context.Reference<AnalystService | undefined>("sightline/ports/Analyst", {
  defaultValue: () => undefined,
})
