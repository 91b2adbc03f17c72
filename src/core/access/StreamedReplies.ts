import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenFull } from "../storage/Database.ts"
import type { vault } from "./fingerprint.ts"
import { type Held, LEASE_SECONDS, Replies } from "./Replies.ts"

/** Whose reply it is, under what name, what opens it, and what ends it where it broke off. */
interface Kept {
  readonly org: string
  readonly name: string
  readonly box: ReturnType<typeof vault>
  readonly lastEvent: (id: number) => string
}

/** To who writes it down. */
export interface Streamed extends Kept, Held {}

/** What one reply may have, and what is kept of an organization: beyond it the oldest go. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_KEPT_BYTES = 64 * 1024 * 1024

/** Looks for what another instance wrote; this one's own writers wake who waits. */
const LOOK = "250 millis"
const LOOK_OWN = "5 seconds"

/**
 * Event streams that outlive their connection: a reply is written down as it is made, and whoever asks for it reads what
 * was written, from any event on. Memory holds no more than a part of it, whatever the pace of its readers.
 */
export class StreamedReplies extends Context.Service<
  StreamedReplies,
  {
    /** Writes a reply down, to its end, though its caller hang up. Each element of `body` is one event, numbered from 1. */
    readonly record: (reply: Streamed, body: Stream.Stream<Uint8Array, unknown>) => Effect.Effect<void>
    /** The events after the one numbered `after`, and those to come. */
    readonly follow: (reply: Kept, after: number) => Stream.Stream<Uint8Array>
  }
>()("sightline/access/StreamedReplies") {
  static readonly layer = Layer.effect(
    StreamedReplies,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const replies = yield* Replies
      const writers = new Map<string, Latch.Latch>()
      const nameOf = ({ org, name }: Kept) => `${org} ${name}`

      const wake = (reply: Kept) => {
        const waiting = writers.get(nameOf(reply))
        writers.set(nameOf(reply), Latch.makeUnsafe(false))
        waiting?.openUnsafe()
      }

      const write = Effect.fnUntraced(function* (
        reply: Streamed,
        first: number,
        texts: ReadonlyArray<string>,
        ends: boolean,
      ) {
        const plain = new TextEncoder().encode(JSON.stringify(texts))
        const body = yield* reply.box.seal(plain)
        const { org, name } = reply
        const row = { org_id: org, key: name, first, last: first + texts.length - 1, ends, body, size: body.length }
        yield* database.transaction(org, sql`insert into idempotent_reply_parts ${sql.insert(row)}`)
        wake(reply)
        return plain.length
      })

      const trim = (org: string) =>
        database.transaction(
          org,
          sql`delete from idempotent_replies r using (
              select key, sum(size) over (order by expires_at desc, key) as total from (
                select k.key, k.expires_at, sum(p.size) as size
                from idempotent_replies k join idempotent_reply_parts p on p.org_id = k.org_id and p.key = k.key
                where k.org_id = ${org} group by k.key, k.expires_at) kept) t
            where r.org_id = ${org} and r.key = t.key and t.total > ${MOST_KEPT_BYTES}::int and r.locked_until < now()`,
        )

      const recording = (reply: Streamed, body: Stream.Stream<Uint8Array, unknown>) => {
        const decoder = new TextDecoder()
        let next = 1
        let size = 0
        const keep = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, ends: boolean) {
          size += yield* write(reply, next, texts, ends)
          next += texts.length
          if (size > MOST_BYTES && !ends) return yield* Effect.die("a streamed reply is too large to keep")
        })
        return body.pipe(
          Stream.map((bytes) => decoder.decode(bytes)),
          // What comes while a part is written is the next part.
          Stream.buffer({ capacity: 64 }),
          Stream.runForEachArray((texts) => keep(texts, false)),
          Effect.andThen(Effect.suspend(() => keep([], true))),
          // The scope that closes under it interrupts it; its readers are told all the same.
          Effect.onError((cause) =>
            Effect.andThen(
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("a streamed reply broke off", cause),
              Effect.ignoreCause(Effect.suspend(() => keep([reply.lastEvent(next)], true))),
            ),
          ),
          Effect.ignoreCause,
        )
      }

      const scope = yield* Effect.scope
      const record = (reply: Streamed, body: Stream.Stream<Uint8Array, unknown>) => {
        const renewing = Effect.forever(
          Effect.andThen(Effect.sleep(`${LEASE_SECONDS / 3} seconds`), Effect.ignore(replies.renew(reply))),
        )
        return Effect.raceFirst(Effect.andThen(Effect.ignore(trim(reply.org)), recording(reply, body)), renewing).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              wake(reply)
              writers.delete(nameOf(reply))
            }),
          ),
          Effect.provideService(WhenFull, "goes on"),
          Effect.forkIn(scope),
          Effect.asVoid,
          (forked) =>
            Effect.andThen(
              Effect.sync(() => wake(reply)),
              forked,
            ),
        )
      }

      const read = ({ org, name }: Kept, after: number): Effect.Effect<ReadonlyArray<Row>, DatabaseUnavailable> =>
        database.scoped<Row>(
          org,
          sql`select r.locked_until > now() as alive, p.first, p.ends, p.body
            from idempotent_replies r left join lateral (
              select * from idempotent_reply_parts x
              where x.org_id = r.org_id and x.key = r.key and (x.last > ${after}::int or x.ends)
              order by x.first limit 16) p on true
            where r.org_id = scope.org and r.key = ${name} order by p.first`,
        )

      const opened = Effect.fnUntraced(function* ({ box }: Kept, after: number, { body, first }: Part) {
        const texts = JSON.parse(new TextDecoder().decode(yield* box.open(body))) as ReadonlyArray<string>
        return texts.slice(Math.max(after + 1 - first, 0))
      })

      type Page = readonly [events: ReadonlyArray<Uint8Array>, next: Option.Option<number>]
      const page = Effect.fnUntraced(function* (
        reply: Kept,
        after: number,
      ): Effect.fn.Return<Page, DatabaseUnavailable> {
        for (;;) {
          const writer = writers.get(nameOf(reply))
          const rows = yield* read(reply, after)
          const parts = rows.filter((row): row is Row & Part => row.body !== null)
          const texts = (yield* Effect.forEach(parts, (part) => opened(reply, after, part))).flat()
          const ended = parts.at(-1)?.ends === true
          if (texts.length > 0 || ended) {
            return [texts.map(encode), ended ? Option.none() : Option.some(after + texts.length)] as const
          }
          if (writer === undefined && rows[0]?.alive !== true) {
            return [[encode(reply.lastEvent(after + 1))], Option.none()] as const
          }
          yield* Effect.timeoutOption(writer?.await ?? Effect.never, writer === undefined ? LOOK : LOOK_OWN)
        }
      })

      return StreamedReplies.of({
        record,
        follow: (reply, from) =>
          Stream.paginate(from, (after) =>
            // Not numbered anew: a caller who comes back is told what really follows.
            Effect.catch(page(reply, after), () =>
              Effect.succeed<Page>([[encode(reply.lastEvent(after))], Option.none()]),
            ),
          ),
      })
    }),
  )
}

interface Part {
  readonly first: number
  readonly ends: boolean
  readonly body: Uint8Array
}
type Row = { readonly alive: boolean } & (Part | { readonly first: null; readonly ends: null; readonly body: null })

const encode = (text: string) => new TextEncoder().encode(text)
