import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { errorCode } from "../common/errorCode.ts"

export type Operation = "statement" | "transaction"

const TRANSIENT = new Set([
  "ConnectionError",
  "AuthenticationError",
  "StatementTimeoutError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError",
])

/** SQLSTATEs of a server that stops, starts, has no space or is read-only; the driver has no names for them. */
const TRANSIENT_STATE = /^(?:53|57P|58|25006)/

/** Whether the database failed, rather than the statement. */
export const isTransient = ({ reason }: SqlError): boolean =>
  TRANSIENT.has(reason._tag) || TRANSIENT_STATE.test(errorCode(reason.cause))

/** The SQLSTATE `disk_full`. */
export const DISK_FULL = "53100"

export const unreachable = new DatabaseUnavailable({
  message: "the database is unreachable; try again shortly",
  details: { reason: "unreachable" },
})
const conflict = new DatabaseUnavailable({
  message: "another change of the same rows came in between, and this one was undone; try again",
  reason: "conflict",
  details: { reason: "conflict" },
})
export const noSpace = new DatabaseUnavailable({
  message: "the disk that holds the database is full: reads work, but writes fail until space is freed",
  reason: "no_space",
  details: { reason: "no_space" },
})

export const tooSlow = (operation: Operation, isHeavy: boolean, limitMs?: number) => {
  const within = limitMs === undefined ? "in time" : `within ${limitMs / 1000} s`
  const help =
    operation === "transaction" && !isHeavy
      ? "nothing was changed"
      : isHeavy
        ? "narrow it by a filter, ask for fewer dimensions, or export the deals"
        : "narrow it by a filter, or ask for less at once"
  return new DatabaseUnavailable({
    message: `the database did not finish this ${within}: ${help}`,
    reason: "too_slow",
    details: { reason: "too_slow" },
  })
}

/** A statement that its session's limit or the embedded engine ended. */
export const canceled = tooSlow("statement", false)

/** The error for a transient failure, by its SQLSTATE. */
export const toUnavailable = (cause: unknown): DatabaseUnavailable => {
  const code = errorCode(cause)
  if (code === DISK_FULL) return noSpace
  if (code === QUERY_CANCELED) return canceled
  return CONFLICTS.has(code) ? conflict : unreachable
}

/** The SQLSTATE of a statement that ran into the session's limit. */
const QUERY_CANCELED = "57014"
/** `serialization_failure`, `deadlock_detected`, `lock_not_available`. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"])

/** Whether a statement failed because a number is beyond its type (SQLSTATE `numeric_value_out_of_range`). */
export const isOutOfRange = (defect: unknown): boolean =>
  isSqlError(defect) && errorCode(defect.reason.cause) === "22003"

const failOrDie = (defect: unknown) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))

const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/**
 * Turns transient failures into a typed error, also those of a rollback, which `SqlClient` reports as defects. Any other
 * failure of a statement is a bug and therefore a defect.
 */
export const unavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseUnavailable, R> =>
  Effect.catch(
    Effect.catchDefect(effect, failOrDie),
    (error): Effect.Effect<never, Exclude<E, SqlError> | DatabaseUnavailable> => {
      if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
      return isTransient(error) ? Effect.fail(toUnavailable(error.reason.cause)) : Effect.die(error)
    },
  )
