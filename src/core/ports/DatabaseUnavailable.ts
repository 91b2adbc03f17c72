import * as Schema from "effect/Schema"

/** The database is unreachable, timed out, or its disk is full. A later retry may succeed. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String,
  details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  /** `no_space`: the disk is full. Reads work; writes resume when there is space. */
  reason: Schema.optional(Schema.Literal("no_space")),
}) {}
