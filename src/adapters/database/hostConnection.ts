import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { Connection } from "effect/sql/SqlConnection"
import {
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError,
} from "effect/sql/SqlError"
import { CurrentScope, setOrganization } from "../../core/storage/session.ts"
import { parserOf } from "./textParsers.ts"
import { errorCode } from "../../core/common/errorCode.ts"

/** A client of node-postgres (`pg`): a `Client`, or what `pool.connect()` returns. */
export interface HostClient {
  readonly query: (config: {
    readonly text: string
    readonly values: Array<unknown>
    readonly types: { readonly getTypeParser: typeof parserOf }
  }) => Promise<{ readonly rows: Array<object> }>
}

/** Runs our statements on the client of a host, with the parameters and values of our own driver. One at a time, as `pg` asks. */
export const makeConnection = (client: HostClient): Connection => {
  const turns = Semaphore.makeUnsafe(1)
  let organization: string | undefined
  const query = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: () => {
        const encoded = parameters.map(encode)
        const oids = encoded.map(({ oid }) => oid)
        // `pg` declares the parameters' types by the elements of `types`, if it has any, and reads the replies by its method.
        const types = Object.assign(oids, { getTypeParser: parserOf })
        return client.query({ text, values: encoded.map(({ value }) => value), types })
      },
      catch: toSqlError,
    })
  const run = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.flatMap(CurrentScope, (asked) =>
      Effect.gen(function* () {
        // A rollback takes the setting back.
        if (/^rollback/i.test(text)) organization = undefined
        else if (asked !== undefined && asked !== organization) {
          yield* query(setOrganization(asked), [])
          organization = asked
        }
        return yield* query(text, parameters)
      }),
    ).pipe(
      turns.withPermit,
      // A statement that was sent cannot be taken back, and must not be in flight when the host's own follow.
      Effect.uninterruptible,
    )
  const rows = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(run(text, parameters), (result) => result.rows)
  const values = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(rows(text, parameters), (found) => found.map((row) => Object.values(row) as ReadonlyArray<unknown>))
  return {
    execute: rows,
    executeUnprepared: rows,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: run,
    executeStream: () => Stream.die("read a large result by a cursor in a transaction, or by COPY"),
  }
}

interface Encoded {
  /** 0: the server infers the type of a text. */
  readonly oid: number
  readonly value: string | Uint8Array | null
}

/** Encodes a parameter as our driver does, which infers its type from the value. */
const encode = (value: unknown): Encoded => {
  const parameter = Array.isArray(value) ? arrayOf(value) : encodeScalar(value)
  if (parameter === null || typeof parameter === "string") return { oid: 0, value: parameter }
  return { oid: parameter.oid, value: Result.getOrThrow(PgTypes.encodeParameter(parameter)) }
}

const MAX_INT4 = 2 ** 31 - 1

const encodeScalar = (value: unknown): PgTypes.Parameter | string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || PgTypes.isParameter(value)) return value
  if (typeof value === "boolean") return PgTypes.bool(value)
  if (typeof value === "bigint") return PgTypes.int8(value)
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) return PgTypes.float8(value)
    return Math.abs(value) <= MAX_INT4 ? PgTypes.int4(value) : PgTypes.int8(BigInt(value))
  }
  if (value instanceof Date) return PgTypes.timestamptz(value)
  if (value instanceof Uint8Array) return PgTypes.bytea(value)
  throw new TypeError(`a parameter of type ${typeof value} has no type in PostgreSQL`)
}

const arrayOf = (values: ReadonlyArray<unknown>): PgTypes.Parameter | string => {
  if (values.length === 0) return "{}"
  const elements = values.map(encodeScalar)
  const first = elements.find((element) => element !== null)
  const oid = typeof first === "object" && first !== null ? first.oid : PgTypes.OID.text
  return Result.getOrThrow(
    PgTypes.array(
      elements.map((element) => (typeof element === "object" && element !== null ? element.value : element)),
      oid,
    ),
  )
}

/** Names the failure by its SQLSTATE, as our driver does. */
const toSqlError = (cause: unknown): SqlError => {
  const code = errorCode(cause)
  const props = { cause, message: cause instanceof Error ? cause.message : String(cause), operation: "query" }
  // `pg` has errors of its own, without a SQLSTATE, for a connection that ended.
  if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith("08")) return new SqlError({ reason: new ConnectionError(props) })
  const constraint = String((cause as { readonly constraint?: string }).constraint ?? "unknown")
  if (code === "23505") return new SqlError({ reason: new UniqueViolation({ ...props, constraint }) })
  const make = REASONS[code] ?? (code.startsWith("42") ? syntax : code.startsWith("23") ? constrained : unknown)
  return new SqlError({ reason: make(props) })
}

interface Props {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}

const syntax = (props: Props) => new SqlSyntaxError(props)
const constrained = (props: Props) => new ConstraintError(props)
const unknown = (props: Props) => new UnknownError(props)

const REASONS: Readonly<Record<string, (props: Props) => SqlError["reason"]>> = {
  "42501": (props) => new AuthorizationError(props),
  "40P01": (props) => new DeadlockError(props),
  "40001": (props) => new SerializationError(props),
  "55P03": (props) => new LockTimeoutError(props),
  "57014": (props) => new StatementTimeoutError(props),
}
