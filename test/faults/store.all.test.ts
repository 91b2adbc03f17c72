import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { Exports } from "../../src/core/exports/Exports.ts"
import { Originals } from "../../src/core/library/Originals.ts"
import { BlobStore, type BlobStoreError, unreachable } from "../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { untilEffect } from "../support/until.ts"
import { canMount, COLUMNS, deals, filesUnder, fill, mountDisk, report, text, TIMES, unmountDisk } from "./support.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const DEALS = 3000
/** The number of documents and of exports. Their files stay on a small disk. */
const PUTS = 3 * Math.min(TIMES, 10)
/** Makes every n-th call of the store fail while enabled; every second failing put fails halfway. */
const faults = { every: 0, calls: 0, failed: 0 }

const directory = mkdtempSync(join(tmpdir(), "sightline-store-"))
const isMounted = canMount()
if (isMounted) mountDisk(directory, 48)
afterAll(() => {
  if (isMounted) unmountDisk(directory)
  rmSync(directory, { recursive: true, force: true })
})

const due = () => {
  if (faults.every === 0 || ++faults.calls % faults.every !== 0) return false
  faults.failed++
  return true
}

const failing = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (real) => {
    const perhaps = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | BlobStoreError, R> =>
      Effect.suspend((): Effect.Effect<A, E | BlobStoreError, R> => (due() ? Effect.fail(unreachable) : call))
    return BlobStore.of({
      put: (key, bytes) =>
        Effect.suspend(() =>
          !due()
            ? real.put(key, bytes)
            : faults.failed % 2 === 0
              ? Effect.fail(unreachable)
              : real.put(key, Stream.concat(Stream.take(bytes, 1), Stream.fail(unreachable))),
        ),
      get: (key, range) => perhaps(real.get(key, range)),
      size: (key) => perhaps(real.size(key)),
      remove: (key) => perhaps(real.remove(key)),
      list: real.list,
      removeAll: (org) => perhaps(real.removeAll(org)),
    })
  }),
)

for (const engine of engines) {
  const files = Layer.orDie(layerFiles({ directory: join(directory, engine.name, "blobs"), reserve: 0 }))
  const library = Layer.mergeAll(failing.pipe(Layer.provide(files)), layerReader, layerGuarded(), Transcriber.layerNone)
  describe(`a store that fails, on ${engine.name}`, () => {
    layer(Sightline.layer({ database: engine.database, library, jobsPerOrganization: 4 }), {
      excludeTestServices: true,
    })((it) => {
      const newOrganization = Effect.gen(function* () {
        const { id } = yield* (yield* Sightline.Organizations).create({ name: "Acme", plan: UNLIMITED })
        yield* (yield* Sightline.Import).records(id, Stream.fromIterable(deals(DEALS)))
        return id
      })
      const exported = Effect.fnUntraced(function* (org: string) {
        return yield* (yield* Exports).submit(org, { columns: COLUMNS, filters: {}, csvSafe: true })
      })
      const jobs = Effect.fnUntraced(function* (org: string) {
        const { scoped, sql } = yield* Sightline.Database
        return yield* scoped<{
          id: string
          kind: string
          subject: string
          state: string
          attempts: number
          error: string | null
        }>(
          org,
          sql`select id, kind, subject, state, attempts, error from jobs where org_id = scope.org order by created_at`,
        )
      })
      const ended = (org: string) =>
        untilEffect(
          "every job ends",
          Effect.map(jobs(org), (all) =>
            all.every(({ state }) => !["queued", "running"].includes(state)) ? all : undefined,
          ),
        )
      /** The content of an export's file, read without faults. */
      const digest = Effect.fnUntraced(function* (org: string, id: string) {
        const every = faults.every
        faults.every = 0
        const { file } = yield* (yield* Exports).file(org, id)
        const hash = createHash("sha256")
        yield* Stream.runForEach(yield* (yield* BlobStore).get(file), (bytes) =>
          Effect.sync(() => void hash.update(bytes)),
        )
        faults.every = every
        return hash.digest("hex")
      })
      const upload = Effect.fnUntraced(function* (org: string, words: string) {
        const bytes = Stream.succeed(new TextEncoder().encode(words))
        const original = yield* (yield* Originals).keep(org, "text/markdown", bytes)
        const place = { competitorId: null, dealId: null }
        const file = { file_name: "a.md", content_type: "text/markdown" }
        yield* (yield* Sightline.Documents).receive(org, { type: "asset", source: "api", ...file, ...place }, original)
      })

      it.effect(
        "at every third call: each job ends, completed or failed",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const undisturbed = yield* exported(org)
            yield* ended(org)
            const expected = yield* digest(org, undisturbed)
            Object.assign(faults, { every: 3, calls: 0, failed: 0 })
            let refused = 0
            for (let n = 0; n < PUTS; n++) {
              yield* exported(org)
              const again = Effect.sync(() => void refused++)
              yield* Effect.retry(
                Effect.tapError(upload(org, text(`fault ${n}`)), () => again),
                { times: 5 },
              )
            }
            const all = yield* ended(org)
            faults.every = 0
            const failed = all.filter(({ state }) => state !== "completed")
            for (const { attempts, error } of failed) assert.deepStrictEqual([attempts, error !== null], [5, true])
            for (const { kind, subject, state } of all) {
              if (kind === "export" && state === "completed") assert.strictEqual(yield* digest(org, subject), expected)
            }
            const { scoped, sql } = yield* Sightline.Database
            const [documents] = yield* scoped<{ count: number; ready: number }>(
              org,
              sql`select count(*)::int as count, count(*) filter (where status = 'ready')::int as ready
                from documents where org_id = scope.org`,
            )
            const read = all.filter(({ kind, state }) => kind === "document" && state === "completed").length
            assert.deepStrictEqual(documents, { count: PUTS, ready: read })
            report("store fails at every third call", engine.name, {
              jobs: all.length,
              "calls failed": faults.failed,
              "uploads refused": refused,
              "done at last": all.length - failed.length,
              "ended as failed": failed.length,
              hanging: all.filter(({ state }) => ["queued", "running"].includes(state)).length,
            })
          }),
        900_000 + TIMES * 60_000,
      )

      it.effect(
        "without space: refuses uploads, delays an export until there is space, and leaves no partial file",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const undisturbed = yield* exported(org)
            yield* ended(org)
            const expected = yield* digest(org, undisturbed)
            const filler = join(directory, "filler")
            const before = filesUnder(join(directory, engine.name)).length
            fill(filler, 0)
            const refused = yield* Effect.flip(upload(org, text("full").repeat(10)))
            assert.deepInclude(refused, { _tag: "BlobStoreError", reason: "no_space" })
            const id = yield* exported(org)
            const waiting = yield* untilEffect(
              "a second attempt",
              Effect.map(jobs(org), (all) => (all.at(-1)!.attempts < 2 ? undefined : all.at(-1)!)),
            )
            assert.include(["queued", "running"], waiting.state)
            assert.strictEqual(yield* (yield* Sightline.Deals).count(org, {}), DEALS)
            rmSync(filler)
            const all = yield* ended(org)
            assert.deepStrictEqual(
              all.map(({ state }) => state),
              ["completed", "completed"],
            )
            assert.strictEqual(yield* digest(org, id), expected)
            const left = readdirSync(join(directory, engine.name, "blobs", ".incoming"))
            report("disk full, then space again", engine.name, {
              "attempts of the export": all.at(-1)!.attempts,
              lost: all.filter(({ state }) => state !== "completed").length,
              "left half": left.length,
            })
            assert.deepStrictEqual([left, filesUnder(join(directory, engine.name)).length], [[], before + 1])
          }),
        needs("the right to mount a disk", isMounted),
      )
    })
  })
}
