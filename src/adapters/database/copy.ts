import type { Socket } from "node:net"
import type { Client } from "pg"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "../../core/ports/DatabaseUnavailable.ts"
import { toUnavailable } from "../../core/storage/Database.ts"
import { type Installation, PROPAGATED, sessionSettings, setOrganization } from "../../core/storage/session.ts"
import { copyOn, makeSocketOpener } from "./copySocket.ts"
import { errorCode } from "../../core/common/errorCode.ts"

/**
 * Streams a query's rows by `COPY`, on its own connection, which closes with the stream. Row-level security applies
 * as to any other.
 */
export const copyFrom =
  (url: Redacted.Redacted, installation: Installation) =>
  (
    org: string,
    statement: string,
    parameters: ReadonlyArray<unknown>,
  ): Stream.Stream<Uint8Array, DatabaseUnavailable> =>
    Stream.unwrap(
      Effect.gen(function* () {
        // The first export loads it: the start does not need it.
        const { default: pg } = yield* Effect.promise(() => import("pg"))
        const place = makeSocketOpener()
        const client = yield* Effect.acquireRelease(
          attempt(async () => {
            const opened = new pg.Client({
              connectionString: Redacted.value(url),
              application_name: "sightline export",
              connectionTimeoutMillis: 10_000,
              stream: place.open,
            })
            // The pending operation reports a broken connection.
            opened.on("error", () => {})
            await opened.connect()
            return opened
          }),
          (opened) => Effect.promise(() => leave(opened)),
        )
        yield* attempt(async () => {
          await client.query("begin read only")
          const settings = {
            ...sessionSettings(installation),
            ...FOR_ALL,
            ...PROPAGATED,
            role: installation.role,
          }
          const set = "select set_config(name, value, true) from unnest($1::text[], $2::text[]) setting(name, value)"
          await client.query(set, [Object.keys(settings), Object.values(settings)])
          await client.query(setOrganization(org))
        })
        const rows = inlineParameters(statement, parameters, (value) => client.escapeLiteral(value))
        place.copying()
        return copyOn(connectionOf(client), `copy (${rows}) to stdout (format binary); commit`).pipe(
          Stream.catch((cause) => Stream.fromEffect(mapFailure(Effect.fail(cause)))),
        )
      }),
    )

/** Closes the connection; destroys the socket after 5 s. */
const leave = async (client: Client) => {
  const late = setTimeout(() => connectionOf(client).destroy(), 5000)
  await client.end().catch(() => {})
  clearTimeout(late)
}

/** The socket, or its TLS wrapper. */
const connectionOf = (client: Client) =>
  (client as Client & { readonly connection: { readonly stream: Socket } }).connection.stream

/** One statement reads all rows and may take any time. With little memory the planner looks names up row by row. */
const FOR_ALL = { statement_timeout: "0", cursor_tuple_fraction: "1", work_mem: "64MB" }

/** `COPY` takes no parameters. */
export const inlineParameters = (
  statement: string,
  parameters: ReadonlyArray<unknown>,
  quoted: (text: string) => string,
): string =>
  statement.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const value = parameters[Number(number) - 1]
    if (value === null) return "null"
    if (typeof value === "string") return quoted(value)
    if (typeof value === "boolean" || typeof value === "number") return quoted(String(value))
    if (Array.isArray(value)) return quoted(`{${value.map(element).join(",")}}`)
    throw new TypeError(`a parameter of type ${typeof value} cannot be written into a statement`)
  })

const element = (value: unknown) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`

const attempt = <A>(action: () => Promise<A>) => mapFailure(Effect.tryPromise({ try: action, catch: (cause) => cause }))

/** A failed connection is retryable; a wrong statement is a bug. */
const mapFailure = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.catch(effect, (cause): Effect.Effect<never, DatabaseUnavailable> =>
    isFault(cause) ? Effect.die(cause) : Effect.fail(toUnavailable(cause)),
  )

const isFault = (cause: unknown) => /^(22|42|XX)/.test(errorCode(cause))
