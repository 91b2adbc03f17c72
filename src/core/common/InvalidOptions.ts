import * as Schema from "effect/Schema"

/** The host passed options that cannot be used. `problems` has each option with what is accepted. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  message: Schema.String,
  problems: Schema.Array(Schema.Struct({ option: Schema.String, reason: Schema.String })),
}) {
  static readonly of = (problems: ReadonlyArray<{ readonly option: string; readonly reason: string }>) =>
    new InvalidOptions({
      message: problems.map(({ option, reason }) => `\`${option}\` ${reason}`).join("; "),
      problems,
    })
}
