import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { Listener } from "../../core/storage/notifications.ts"

/** A network device may drop an idle connection without a word, and a server may end it, so the listener asks the server this often. */
const CHECK_INTERVAL = "30 seconds"
const REPLY_TIMEOUT = "10 seconds"

/** Listens on a connection of its own, which closes with this effect. Fails when the connection ends. */
export const listenOn = (
  config: PgConnection.Config,
  channel: string,
  { onListening, onNotice }: Listener,
): Effect.Effect<never, SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make(config)
      // Nobody closes this scope: its end would wait for the reply to `UNLISTEN`, perhaps of a server that is gone. The connection's
      // end does the same at once.
      const scope = Scope.makeUnsafe()
      const session = yield* Scope.provide(connection.pin, scope)
      const notifications = yield* inTime(Scope.provide(session.listen(channel), scope))
      const receive = Effect.map(Queue.take(notifications), ({ payload }) => onNotice(payload))
      const check = Effect.andThen(Effect.sleep(CHECK_INTERVAL), inTime(session.query("select 1")))
      return yield* Effect.raceAllFirst([
        Effect.forever(receive),
        Effect.forever(check),
        Effect.andThen(onListening, Effect.never),
      ])
    }),
  )

const inTime = <A, R>(reply: Effect.Effect<A, SqlError, R>) =>
  Effect.timeoutOrElse(reply, { duration: REPLY_TIMEOUT, orElse: () => Effect.fail(silent) })

const message = "the server does not answer on the connection that listens"
const silent = new SqlError({
  reason: new ConnectionError({ cause: new Error(message), message, operation: "listen" }),
})
