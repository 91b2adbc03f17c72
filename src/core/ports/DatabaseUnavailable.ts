import * as Schema from "effect/Schema"

/** The database cannot be reached, did not answer in time, or has no room: trying again later may help. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String,
  details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  /** `no_space`: it reads, and writes again once its disk has room. */
  reason: Schema.optional(Schema.Literal("no_space")),
}) {}
