import { assert, describe, layer } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { DocumentReader } from "../../src/core/ports/DocumentReader.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { layerLibrary, layerWeb } from "../support/web.ts"
import { untilEffect } from "../support/until.ts"
import { send, tenantWithDeals } from "./changing.ts"
import { oneConnection } from "../support/oneConnection.ts"

/** Holds back the text of every document until it opens. */
const textIsRead = Latch.makeUnsafe()

const library = Layer.unwrap(
  Effect.map(Layer.build(layerLibrary()), (context) => {
    const reader = Context.get(context, DocumentReader)
    return Layer.succeedContext(
      Context.add(context, DocumentReader, {
        ...reader,
        read: (bytes, format) => Effect.andThen(textIsRead.await, reader.read(bytes, format)),
      }),
    )
  }),
)

/** A superuser's connection, which sees what others wait for. */
class Superuser extends Context.Service<Superuser, PgClient.PgClient>()("test/Superuser") {}

const services = Layer.unwrap(
  Effect.map(Effect.orDie(migratedPostgresUrl), (address) => {
    const url = Redacted.make(address)
    const superuser = Layer.effect(Superuser, PgClient.PgClient).pipe(Layer.provide(oneConnection(url)))
    return Layer.merge(layerWeb(layerPostgres({ url }), library), superuser)
  }),
)

describe("deleting a deal while one of its documents is read, on PostgreSQL", () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("waits for the reading instead of deadlocking with it", () =>
      Effect.gen(function* () {
        const { org, key } = yield* tenantWithDeals
        const { sql, transaction } = yield* Database
        const superuser = yield* Superuser
        const uploaded = yield* send(key, "POST", "/deals/documents", {
          deal_id: "d1",
          file_name: "notes.md",
          content_type: "text/markdown",
          file_base64: Buffer.from("# One\n\nWords.").toString("base64"),
        })
        const { document, run_id } = uploaded.json
        /** Waits until a statement that matches `query` waits for a lock. */
        const blocked = (query: string) =>
          untilEffect(
            `a blocked ${query}`,
            Effect.map(
              superuser<{ found: boolean }>`select exists (select from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock' and query ~ ${query}) as found`,
              ([row]) => row?.found === true,
            ),
          )
        const [locked, release] = [yield* Latch.make(), yield* Latch.make()]
        const holding = yield* Effect.forkChild(
          transaction(
            org,
            Effect.andThen(
              sql`select from documents where org_id = ${org} and id = ${document.id} for update`,
              Effect.andThen(locked.open, release.await),
            ),
          ),
        )
        yield* locked.await
        yield* textIsRead.open
        yield* blocked("into document_texts")
        const deleting = yield* Effect.forkChild(send(key, "DELETE", "/deals/d1"))
        yield* blocked("from deals|'cancelled'")
        yield* release.open
        yield* Fiber.join(holding)
        const { status, text } = yield* Fiber.join(deleting)
        assert.deepStrictEqual([status, text], [204, ""])
        assert.strictEqual((yield* send(key, "GET", `/runs/${run_id}`)).json.status, "completed")
        assert.strictEqual((yield* send(key, "GET", `/documents/${document.id}`)).status, 404)
      }),
    )
  })
})
