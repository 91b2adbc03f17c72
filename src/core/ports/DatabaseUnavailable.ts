import * as Schema from "effect/Schema"

/** The database is unreachable, timed out, busy, or its disk is full. A later retry may succeed, except for `too_slow`. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String,
  details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  /**
   * - `no_space`: the disk is full. Reads work; writes resume when there is space.
   * - `concurrency`: the organization runs as much as it may, or others do. HTTP says it by 429.
   * - `too_slow`: it ran longer than work of its class may, or would by its estimate. The same again is as slow.
   * - `conflict`: another transaction changed the same rows, and the database ended this one.
   */
  reason: Schema.optional(Schema.Literals(["no_space", "concurrency", "too_slow", "conflict"])),
  /** With `concurrency`: how many may run at once. */
  limit: Schema.optional(Schema.Int),
  /** With `concurrency`: when to come back. */
  retryAfterSeconds: Schema.optional(Schema.Int),
}) {}
