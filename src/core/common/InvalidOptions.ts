import * as Schema from "effect/Schema"
import { type Check, type OptionProblem, problemsOfOptions, sentenceOf, shownSecret } from "./options.ts"
import { isRecord } from "./isRecord.ts"

/** The host passed options that cannot be used. `problems` has each option with what is accepted. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  message: Schema.String,
  problems: Schema.Array(Schema.Struct({ option: Schema.String, reason: Schema.String })),
}) {
  static readonly of = (problems: ReadonlyArray<OptionProblem>, owner?: string) =>
    new InvalidOptions({ message: sentenceOf(problems, owner), problems })
}

/** Throws every problem of the options of `owner`, a function that makes a part of the service, where the host calls it. */
export const assertOptions = (
  owner: string,
  checks: Readonly<Record<string, Check>>,
  given: unknown,
  required: ReadonlyArray<string> = [],
): void => {
  const problems = isRecord(given)
    ? problemsOfOptions(checks, given, required)
    : [
        {
          option: "options",
          reason: `must be an object of ${Object.keys(checks).join(", ")}, not ${shownSecret(given)}`,
        },
      ]
  if (problems.length > 0) throw InvalidOptions.of(problems, owner)
}
