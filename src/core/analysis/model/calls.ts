import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Hex from "effect/encoding/Hex"
import { Analyst, type Form, type FormAnswer, ModelUnfit } from "../../ports/Analyst.ts"
import { Database } from "../../storage/Database.ts"
import { addTokens, saveCall } from "../writing.ts"
import { PROMPT_VERSION } from "./prompts.ts"

/** Attempts at an answer that fits the form. */
const MAX_TRIES = 3

/** A question to the model about one deal. */
export interface Question {
  readonly purpose: "find" | "write" | "score" | "answer"
  readonly rules: string
  readonly data: unknown
  readonly form: Form
  /** The document whose text is in the data: the answer is deleted with it. */
  readonly document: string | null
  /** Repeats of the same question count from 1. */
  readonly sample: number
}

/**
 * Asks the model about one deal, each question once: an answer is stored as soon as it is there, so that the next run and a worker that
 * takes over find it. The key of an answer is a hash of everything that the model is shown.
 */
export const makeCalls = Effect.fnUntraced(function* (org: string, deal: string, run: string) {
  const database = yield* Database
  const { sql } = database
  const analyst = yield* Analyst
  if (analyst === undefined) return yield* Effect.die("calls need a model")
  const keys = new Set<string>()

  /** Asks until the answer fits the form. The tokens of answers that do not fit are spent, too. */
  const fill = Effect.fnUntraced(function* ({ rules, data, form }: Question, fits: (filled: unknown) => boolean) {
    let inputTokens = 0
    let outputTokens = 0
    let last = new ModelUnfit({ reason: NO_FIT })
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const answer = yield* analyst
        .fillIn({ rules, data: JSON.stringify(data), form })
        .pipe(Effect.catchTag("ModelUnfit", (unfit) => Effect.succeed(unfit)))
      if (answer instanceof ModelUnfit) {
        last = answer
        continue
      }
      inputTokens += answer.inputTokens
      outputTokens += answer.outputTokens
      if (fits(answer.filled)) return { ...answer, inputTokens, outputTokens } satisfies FormAnswer
      last = new ModelUnfit({ reason: NO_FIT })
    }
    if (inputTokens > 0) yield* database.transaction(org, addTokens(sql, org, { deal, run, inputTokens, outputTokens }))
    return yield* last
  })

  const ask = Effect.fnUntraced(function* <A>(question: Question, decode: (filled: unknown) => Option.Option<A>) {
    const { purpose, rules, data, form, document, sample } = question
    const key = yield* hashParts([PROMPT_VERSION, analyst.name, purpose, sample, rules, form.name, data])
    keys.add(key)
    const [stored] = yield* database.scoped<{ answer: unknown }>(
      org,
      sql`select answer from analysis_calls where org_id = scope.org and deal_id = ${deal} and key = ${key}`,
    )
    const known = stored === undefined ? Option.none<A>() : decode(stored.answer)
    if (Option.isSome(known)) return known.value
    const { filled, ...spent } = yield* fill(question, (filled) => Option.isSome(decode(filled)))
    yield* database.transaction(
      org,
      saveCall(sql, org, { deal, run, key, purpose, document, answer: filled, ...spent }),
    )
    return Option.getOrThrow(decode(filled))
  })

  return { name: analyst.name, isCarried: analyst.isCarried, inventsNothing: analyst.inventsNothing, ask, keys }
})
export type Calls = Effect.Success<ReturnType<typeof makeCalls>>

const NO_FIT =
  "the language model does not answer in the form that it is asked for; configure a model that calls tools, then run the analysis again"

const hashParts = (parts: ReadonlyArray<unknown>) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)))),
    (digest) => Hex.encode(new Uint8Array(digest)),
  )
