import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { ServerEvent } from "../http/replies/events.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import type { makeVault } from "./fingerprint.ts"
import { type HeldClaim, LEASE_SECONDS, Replies } from "./Replies.ts"

/** A stored reply: its organization and name, the vault that decrypts it, and the event that ends it if interrupted. */
interface ReplyRef {
  readonly org: string
  readonly name: string
  readonly vault: ReturnType<typeof makeVault>
  readonly lastEvent: object
}

/** A reply that this process may write. */
export interface WritableReply extends ReplyRef, HeldClaim {}

const MAX_BYTES_PER_REPLY = 4 * 1024 * 1024
/** Evicts the oldest replies beyond this. */
const MAX_BYTES_PER_ORGANIZATION = 64 * 1024 * 1024

/** Polls for parts that another instance writes. */
const REMOTE_POLL_INTERVAL = "250 millis"
/** Local writers wake readers through a latch; this is the fallback. */
const LOCAL_POLL_INTERVAL = "5 seconds"

/**
 * Persists event streams while they are produced, so that a client can reconnect and resume after any event. Memory holds
 * at most one part of a stream, however slow its readers are.
 */
export class StreamedReplies extends Context.Service<
  StreamedReplies,
  {
    /** Records the whole reply even if the client disconnects, and numbers its events from 1. */
    readonly record: (reply: WritableReply, events: Stream.Stream<ServerEvent, unknown>) => Effect.Effect<void>
    /** Streams the events after number `after`, stored and still to come. */
    readonly follow: (reply: ReplyRef, after: number) => Stream.Stream<ServerEvent>
  }
>()("sightline/replies/StreamedReplies") {
  static readonly layer = Layer.effect(
    StreamedReplies,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const replies = yield* Replies
      const writers = new Map<string, Latch.Latch>()
      const nameOf = ({ org, name }: ReplyRef) => `${org} ${name}`

      const wake = (reply: ReplyRef) => {
        const waiting = writers.get(nameOf(reply))
        writers.set(nameOf(reply), Latch.makeUnsafe(false))
        waiting?.openUnsafe()
      }

      const write = Effect.fnUntraced(function* (
        reply: WritableReply,
        first: number,
        events: ReadonlyArray<unknown>,
        ends: boolean,
      ) {
        const plain = new TextEncoder().encode(JSON.stringify(events))
        const body = yield* reply.vault.seal(plain)
        const { org, name } = reply
        const row = { org_id: org, key: name, first, last: first + events.length - 1, ends, body, size: body.length }
        yield* database.transaction(org, sql`insert into idempotent_reply_parts ${sql.insert(row)}`)
        wake(reply)
        return plain.length
      })

      const writeParts = (reply: WritableReply, events: Stream.Stream<ServerEvent, unknown>) => {
        let next = 1
        let size = 0
        const append = Effect.fnUntraced(function* (added: ReadonlyArray<unknown>, ends: boolean) {
          size += yield* write(reply, next, added, ends)
          next += added.length
          if (size > MAX_BYTES_PER_REPLY && !ends) return yield* Effect.die("a streamed reply is too large to keep")
        })
        return events.pipe(
          Stream.map(({ data }) => data),
          // Events that arrive while a part is written form the next part.
          Stream.buffer({ capacity: 64 }),
          Stream.runForEachArray((added) => append(added, false)),
          Effect.andThen(Effect.suspend(() => append([], true))),
          // If the scope closes, readers still get the event that ends the stream.
          Effect.onError((cause) =>
            Effect.andThen(
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("a streamed reply broke off", cause),
              Effect.ignoreCause(Effect.suspend(() => append([reply.lastEvent], true))),
            ),
          ),
          Effect.ignoreCause,
        )
      }

      const scope = yield* Effect.scope
      const record = (reply: WritableReply, events: Stream.Stream<ServerEvent, unknown>) => {
        const renewLease = Effect.forever(
          Effect.andThen(Effect.sleep(`${LEASE_SECONDS / 3} seconds`), Effect.ignore(replies.renew(reply))),
        )
        return Effect.raceFirst(
          Effect.andThen(
            Effect.ignore(replies.evict(reply.org, MAX_BYTES_PER_ORGANIZATION)),
            writeParts(reply, events),
          ),
          renewLease,
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              wake(reply)
              writers.delete(nameOf(reply))
            }),
          ),
          Effect.provideService(WhenDiskFull, "proceed"),
          Effect.forkIn(scope),
          Effect.asVoid,
          (forked) =>
            Effect.andThen(
              Effect.sync(() => wake(reply)),
              forked,
            ),
        )
      }

      const read = (
        { org, name }: ReplyRef,
        after: number,
      ): Effect.Effect<ReadonlyArray<ReplyRow>, DatabaseUnavailable> =>
        database.scoped<ReplyRow>(
          org,
          sql`select r.locked_until > now() as alive, p.first, p.ends, p.body
            from idempotent_replies r left join lateral (
              select * from idempotent_reply_parts x
              where x.org_id = scope.org and x.key = r.key and (x.last > ${after}::int or x.ends)
              order by x.first limit 16) p on true
            where r.org_id = scope.org and r.key = ${name} order by p.first`,
        )

      const decryptEvents = Effect.fnUntraced(function* (
        { vault }: ReplyRef,
        after: number,
        { body, first }: ReplyPart,
      ) {
        const stored = JSON.parse(new TextDecoder().decode(yield* vault.open(body))) as ReadonlyArray<unknown>
        return stored
          .map((event, index) => ({ id: first + index, data: typeof event === "string" ? parseLines(event) : event }))
          .slice(Math.max(after + 1 - first, 0))
      })

      type Batch = readonly [events: ReadonlyArray<ServerEvent>, next: Option.Option<number>]
      const readBatch = Effect.fnUntraced(function* (
        reply: ReplyRef,
        after: number,
      ): Effect.fn.Return<Batch, DatabaseUnavailable> {
        for (;;) {
          const writer = writers.get(nameOf(reply))
          const rows = yield* read(reply, after)
          const parts = rows.filter((row): row is ReplyRow & ReplyPart => row.body !== null)
          const events = (yield* Effect.forEach(parts, (part) => decryptEvents(reply, after, part))).flat()
          const ended = parts.at(-1)?.ends === true
          if (events.length > 0 || ended) {
            return [events, ended ? Option.none() : Option.some(after + events.length)] as const
          }
          if (writer === undefined && rows[0]?.alive !== true) {
            return [[{ id: after + 1, data: reply.lastEvent }], Option.none()] as const
          }
          yield* Effect.timeoutOption(
            writer?.await ?? Effect.never,
            writer === undefined ? REMOTE_POLL_INTERVAL : LOCAL_POLL_INTERVAL,
          )
        }
      })

      return StreamedReplies.of({
        record,
        follow: (reply, from) =>
          Stream.paginate(from, (after) =>
            // Repeats the last id, so that a client that reconnects gets every event that really follows.
            Effect.catch(readBatch(reply, after), () =>
              Effect.succeed<Batch>([[{ id: after, data: reply.lastEvent }], Option.none()]),
            ),
          ),
      })
    }),
  )
}

interface ReplyPart {
  readonly first: number
  readonly ends: boolean
  readonly body: Uint8Array
}
type ReplyRow = { readonly alive: boolean } & (
  | ReplyPart
  | { readonly first: null; readonly ends: null; readonly body: null }
)

/** Release 0.1.0 stored the lines of an event. They last 24 hours. */
const parseLines = (lines: string): unknown => JSON.parse(/^data: (.*)$/m.exec(lines)?.[1] ?? "null")
