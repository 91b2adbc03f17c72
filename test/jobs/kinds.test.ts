import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { layerLibrary } from "../../src/adapters/library.ts"
import { Background } from "../../src/core/jobs/Background.ts"
import { JobQueue, RunningPerOrganization } from "../../src/core/jobs/JobQueue.ts"
import { type BackgroundChoice, OwnWork, ownWorkOf } from "../../src/core/jobs/kinds.ts"
import { Database, type InvalidOptions, layer as services, open, Organizations } from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { untilEffect } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const KINDS = "document, recording, recognition, export, analysis, undo, webhooks, records, vectors, upkeep"

describe("the option `background`", () => {
  it.each([
    [null, "must be true, false, or an object of kinds and concurrency, not null"],
    ["document", 'must be true, false, or an object of kinds and concurrency, not "document"'],
    [{ kind: ["document"] }, "has 'kind'. Did you mean 'kinds'?"],
    [{ zebra: 1 }, "has 'zebra'; it has kinds, concurrency"],
    [{ kinds: [] }, `must have a list of one or more kinds, such as ["document"]; the kinds are ${KINDS}`],
    [{ kinds: "export" }, `must have a list of one or more kinds, such as ["document"]; the kinds are ${KINDS}`],
    [{ kinds: ["export", "documents"] }, "has \"documents\" among its kinds. Did you mean 'document'?"],
    [{ kinds: [7] }, `has 7 among its kinds; the kinds are ${KINDS}`],
    [
      { concurrency: 0 },
      "has 0 as concurrency; it must be a whole number from 1 to 1000, or an object of numbers by kind",
    ],
    [
      { concurrency: { document: 1.5 } },
      "has 1.5 as concurrency of 'document'; it must be a whole number from 1 to 1000",
    ],
    [{ concurrency: { exports: 2 } }, "has a concurrency of 'exports'. Did you mean 'export'?"],
    [
      { concurrency: { vectors: 2 } },
      "has a concurrency of 'vectors', of which a process does one at a time; leave it out",
    ],
    [
      { kinds: ["document"], concurrency: { export: 2 } },
      "has a concurrency of 'export', which is not among its kinds; add it there, or leave it out",
    ],
  ])("may not be %j", async (background, reason) => {
    const options = { database: engines[0].database, background } as never
    const error = await open(options).catch((error: InvalidOptions) => error)
    assert.deepStrictEqual((error as InvalidOptions).problems, [{ option: "background", reason }])
  })

  it.each<boolean | BackgroundChoice | undefined>([
    true,
    false,
    undefined,
    {},
    { kinds: ["document", "upkeep"], concurrency: { document: 8 } },
    { concurrency: 1 },
  ])("may be %j", async (background) => {
    const database = Layer.effectContext(Effect.fail("closed"))
    await (await open({ database: database as never, background })).dispose()
  })

  it("counts jobs by a number, and webhooks only by their name", () => {
    const all = ownWorkOf({ concurrency: 3 })
    assert.deepStrictEqual([all.concurrencyOf("document", 2), all.concurrencyOf("webhooks", 64)], [3, 64])
    const some = ownWorkOf({ concurrency: { webhooks: 5 } })
    assert.deepStrictEqual([some.concurrencyOf("document", 2), some.concurrencyOf("webhooks", 64)], [2, 5])
  })
})

for (const engine of engines) {
  describe(`a process with chosen work on ${engine.name}`, () => {
    it.live("does the kinds that it was given, and no other", () =>
      Effect.gen(function* () {
        const background = { kinds: ["mine"] } as object as BackgroundChoice
        const context = yield* Layer.build(services({ database: engine.database, library: layerLibrary(), background }))
        const { id: org } = yield* Context.get(context, Organizations).create({ name: "Acme", plan: UNLIMITED })
        const jobs = Context.get(context, JobQueue)
        const done: Array<string> = []
        for (const kind of ["other", "mine"])
          yield* jobs.work(
            kind,
            ({ subject }) => Effect.sync(() => void done.push(subject)),
            () => Effect.void,
          )
        const enqueue = (kind: string, subject: string) => jobs.enqueue(org, { kind, subject, prefix: "run" })
        yield* Context.get(context, Database).transaction(
          org,
          Effect.andThen(enqueue("other", "not mine"), Effect.andThen(enqueue("mine", "a"), enqueue("mine", "b"))),
        )
        for (const kind of ["other", "mine"]) yield* jobs.wake(kind, org)
        yield* untilEffect(
          "both of its jobs are done",
          Effect.sync(() => done.length >= 2),
        )
        const report = yield* Context.get(context, Background).tick(60)
        assert.deepStrictEqual(report, {
          done: { "refused sign-ins": 1, ...(engine.name === "PGlite" && { vacuum: 1 }) },
          remaining: false,
        })
        assert.sameMembers(done, ["a", "b"])
        const { unscoped, sql } = Context.get(context, Database)
        assert.deepStrictEqual(yield* unscoped(sql`select name from chores`), [], "upkeep is left to other processes")
      }).pipe(Effect.scoped),
    )

    it.live("does as many at once as it was told", () =>
      Effect.gen(function* () {
        const layer = Layer.merge(JobQueue.layer, layerOrganizations).pipe(
          Layer.provideMerge(Database.layer),
          Layer.provide(Layer.succeed(OwnWork, ownWorkOf({ concurrency: 3 }))),
          Layer.provide(Layer.succeed(RunningPerOrganization, 10)),
          Layer.provide(engine.database),
        )
        const context = yield* Layer.build(layer)
        const { id: org } = yield* Context.get(context, Organizations).create({ name: "Acme", plan: UNLIMITED })
        const jobs = Context.get(context, JobQueue)
        const gate = Latch.makeUnsafe(false)
        let [running, most, done] = [0, 0, 0]
        const handle = Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* gate.await
          running--
          done++
        })
        yield* jobs.work(
          "errand",
          () => handle,
          () => Effect.void,
          1,
        )
        yield* Context.get(context, Database).transaction(
          org,
          Effect.forEach(["a", "b", "c", "d", "e"], (subject) =>
            jobs.enqueue(org, { kind: "errand", subject, prefix: "run" }),
          ),
        )
        yield* jobs.wake("errand", org)
        yield* untilEffect(
          "three run",
          Effect.sync(() => running === 3),
        )
        gate.openUnsafe()
        yield* untilEffect(
          "all are done",
          Effect.sync(() => done === 5),
        )
        assert.strictEqual(most, 3)
      }).pipe(Effect.scoped),
    )
  })
}
