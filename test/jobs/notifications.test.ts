import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { layerPostgres, type PostgresOptions } from "../../src/adapters/database/postgres.ts"
import { PollSeconds } from "../../src/core/jobs/Background.ts"
import { type Job, JobQueue, TryAgain } from "../../src/core/jobs/JobQueue.ts"
import { Database, Deliveries, layer as services, Organizations, Webhooks } from "../../src/core/Sightline.ts"
import { Notifications, readNotice, writeNotice } from "../../src/core/storage/notifications.ts"
import { markStale, recordWritten } from "../../src/core/storage/recordChanges.ts"
import { citus, engines, migratedPostgresUrl, whereIs } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** Nothing listens here: no delivery of these tests is sent. */
const ADDRESS = "http://127.0.0.1:9/hook"

/** Listens to a channel. Returns the payloads since the last call: they arrive in the order of commits. */
const listenTo = Effect.fnUntraced(function* (url: string, channel: string) {
  const connect = Effect.map(Layer.build(oneConnection(url)), Context.get(PgClient.PgClient))
  const [listener, sender] = [yield* connect, yield* connect]
  const queue = yield* listener.listen(channel)
  return Effect.gen(function* () {
    yield* sender.notify(channel, "last")
    const payloads: Array<string> = []
    for (;;) {
      const { payload } = yield* Queue.take(queue)
      if (payload === "last") return payloads
      payloads.push(payload)
    }
  })
})

/** The service with its own organization. `heard`: the organization and kinds of each notification since the last call. */
const start = Effect.fnUntraced(function* (background: boolean, options: Omit<PostgresOptions, "url"> = {}) {
  const url = yield* migratedPostgresUrl
  const database = layerPostgres({ ...options, url: Redacted.make(url) })
  const context = yield* Layer.build(services({ database, library: layerLibrary([9]), background }))
  const { id: org } = yield* Context.get(context, Organizations).create({ name: "Acme", plan: UNLIMITED })
  const { transaction, scoped, sql } = Context.get(context, Database)
  const jobs = Context.get(context, JobQueue)
  const enqueue = (kind: string, subject = "subject") => jobs.enqueue(org, { kind, subject, prefix: "run" })
  const payloads = yield* listenTo(url, "sightline.due")
  const heard = Effect.map(payloads, (all) =>
    all.map((payload) => payload.split(" ").slice(1).join(" ").replace(org, "org")),
  )
  return { url, context, org, transaction, scoped, sql, jobs, enqueue, heard }
})

const test = <E>(name: string, effect: Effect.Effect<void, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect))

describe("a notice", () => {
  it("is no work for the process that sent it", () => {
    const payload = writeNotice({ sender: "prc_1", org: "org_1", kinds: ["document"] })
    assert.isUndefined(readNotice(payload, "prc_1"))
    assert.isDefined(readNotice(payload, undefined))
  })

  it("carries any id of an organization", () => {
    for (const org of ["org_1", "Acme & Co", "a%20b", "ü/é"]) {
      const notice = { sender: "prc_1", org, kinds: ["document", "webhooks"] }
      assert.deepStrictEqual(readNotice(writeNotice(notice), "prc_2"), notice)
    }
    for (const payload of ["", "prc_1", "prc_1 org", "prc_1 %E0%A4%A document"])
      assert.isUndefined(readNotice(payload, "prc_2"))
  })
})

describe("notifications on PostgreSQL", () => {
  test(
    "are one for a transaction of many jobs",
    Effect.gen(function* () {
      const { org, transaction, enqueue, heard } = yield* start(false)
      const many = Effect.forEach(Array.from({ length: 30 }), (_, n) =>
        enqueue(n % 2 === 0 ? "document" : "export", `subject ${n}`),
      )
      yield* transaction(org, many)
      assert.deepStrictEqual(yield* heard, ["org document export"])
      yield* transaction(org, Effect.andThen(many, transaction(org, enqueue("analysis"))))
      assert.deepStrictEqual(yield* heard, ["org document export analysis"])
      yield* transaction(org, Effect.andThen(many, markStale(["deal_1"])))
      assert.deepStrictEqual(yield* heard, ["org document export"], "with a mark")
      yield* transaction(org, Effect.andThen(many, recordWritten("document", ["doc_1", "doc_2"])))
      assert.deepStrictEqual(
        yield* heard,
        ["org document export"],
        "with changes, which are written in the same statement",
      )
    }),
  )

  test(
    "are none for a transaction that is rolled back",
    Effect.gen(function* () {
      const { org, transaction, enqueue, heard, scoped, sql } = yield* start(false)
      const failing = Effect.andThen(enqueue("document"), Effect.fail("changed its mind"))
      yield* Effect.flip(transaction(org, failing))
      yield* transaction(org, Effect.ignore(transaction(org, failing)))
      // The transaction around it fails after the notification was sent.
      yield* Effect.flip(
        sql.withTransaction(Effect.andThen(transaction(org, enqueue("document")), Effect.fail("late"))),
      )
      assert.deepStrictEqual(yield* heard, [])
      assert.deepStrictEqual(yield* scoped(org, sql`select id from jobs where org_id = scope.org`), [])
    }),
  )

  test(
    "tell of a job that is enqueued, handed over or returned, but not of one that is retried later or reports progress",
    Effect.gen(function* () {
      const { org, transaction, enqueue, heard, jobs } = yield* start(true)
      const worker = yield* Scope.make()
      const gate = Deferred.makeUnsafe<void>()
      const work = (kind: string, handle: (job: Job) => Effect.Effect<void, any>) =>
        Scope.provide(
          jobs.work(kind, handle, () => Effect.void),
          worker,
        )
      const run = Effect.fnUntraced(function* (kind: string) {
        const id = yield* transaction(org, enqueue(kind))
        yield* jobs.wake(kind, org)
        return id
      })
      const waitFor = (
        id: string,
        what: { readonly kind?: string; readonly state?: string; readonly stage?: string },
      ) =>
        untilEffect(
          `job ${id} has ${JSON.stringify(what)}`,
          Effect.map(jobs.find(org, id), (job) =>
            Object.entries(what).every(([key, value]) => (job as any)[key] === value),
          ),
        )

      yield* work("retried", () => new TryAgain({ reason: "busy" }))
      const retried = yield* run("retried")
      yield* untilEffect(
        "an attempt failed",
        Effect.map(jobs.find(org, retried), (job) => job?.error === "busy"),
      )
      assert.deepStrictEqual(yield* heard, ["org retried"])

      yield* work("first", (job) => job.handOver("second")(Effect.void))
      yield* waitFor(yield* run("first"), { kind: "second", state: "queued" })
      assert.deepStrictEqual(yield* heard, ["org first", "org second"])

      yield* work("held", (job) => Effect.andThen(job.report("reading", 0.5), Deferred.await(gate)))
      const held = yield* run("held")
      yield* waitFor(held, { stage: "reading" })
      assert.deepStrictEqual(yield* heard, ["org held"])

      yield* Scope.close(worker, Exit.void)
      yield* waitFor(held, { state: "queued" })
      assert.deepStrictEqual(yield* heard, ["org held"], "its worker has stopped")
    }),
  )

  test(
    "tell of deliveries where a webhook is enabled, and of no other change",
    Effect.gen(function* () {
      const { context, org, transaction, heard, sql } = yield* start(false)
      const webhooks = Context.get(context, Webhooks)
      const deliveries = Context.get(context, Deliveries)
      const change = transaction(org, recordWritten("document", ["doc_1"]))
      yield* change
      assert.deepStrictEqual(yield* heard, [], "no webhook")

      const { id } = yield* webhooks.create(org, { url: ADDRESS })
      yield* heard
      yield* change
      assert.deepStrictEqual(yield* heard, ["org webhooks"])
      yield* deliveries.ping(org, id)
      assert.deepStrictEqual(yield* heard, ["org webhooks"])
      yield* transaction(org, sql`update webhook_deliveries set state = 'delivered' where org_id = ${org}`)
      assert.deepStrictEqual(yield* heard, [])
      yield* deliveries.replay(org, id, { from: "2020-01-01T00:00:00Z" })
      assert.deepStrictEqual(yield* heard, ["org webhooks"])
      yield* deliveries.replay(org, id, { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" })
      assert.deepStrictEqual(yield* heard, [], "nothing was replayed")

      yield* webhooks.update(org, id, { status: "paused" })
      yield* change
      assert.deepStrictEqual(yield* heard, [], "a paused webhook")
      yield* webhooks.update(org, id, { status: "enabled" })
      assert.deepStrictEqual(yield* heard, ["org webhooks"])
    }),
  )

  test(
    "keep to their installation",
    Effect.gen(function* () {
      const { url, heard } = yield* start(false)
      const payloads = yield* listenTo(url, "acme_intel.due")
      const database = layerPostgres({ url: Redacted.make(url), schema: "acme_intel" })
      const context = yield* Layer.build(services({ database, background: false }))
      const { id: org } = yield* Context.get(context, Organizations).create({ name: "Acme", plan: "growth" })
      const job = { kind: "document", subject: "subject", prefix: "run" }
      yield* Context.get(context, Database).transaction(org, Context.get(context, JobQueue).enqueue(org, job))
      assert.match((yield* payloads).join(), new RegExp(`^prc_\\w+ ${org} document$`))
      assert.deepStrictEqual(yield* heard, [])
    }),
  )

  test(
    "wake the workers of other processes, whatever else is sent",
    Effect.gen(function* () {
      const { url, org, transaction, jobs } = yield* start(false)
      const DAY_SECONDS = 86_400
      const neverPolls = Layer.succeed(PollSeconds, { min: DAY_SECONDS, max: DAY_SECONDS, jitter: 0 })
      const database = Layer.merge(layerPostgres({ url: Redacted.make(url) }), neverPolls)
      const worker = yield* Layer.build(services({ database, library: layerLibrary() }))
      const done: Array<string> = []
      yield* Context.get(worker, JobQueue).work(
        "errand",
        ({ subject }) => Effect.sync(() => void done.push(subject)),
        () => Effect.void,
      )
      const errand = (subject: string) => ({ kind: "errand", subject, prefix: "run" })
      const waitFor = (subject: string) =>
        untilEffect(
          `${subject} is done`,
          Effect.sync(() => done.includes(subject)),
        )
      const sendElsewhere = (subject: string) =>
        Effect.andThen(transaction(org, jobs.enqueue(org, errand(subject))), waitFor(subject))

      yield* sendElsewhere("first")
      yield* sendElsewhere("second")
      const sender = Context.get(yield* Layer.build(oneConnection(url)), PgClient.PgClient)
      for (const payload of ["", "x", `x ${org}`, "x y z", "{}", "a b ".repeat(1500)])
        yield* sender.notify("sightline.due", payload)
      yield* sendElsewhere("third")
      yield* sendElsewhere("fourth")
      assert.deepStrictEqual(done, ["first", "second", "third", "fourth"])
    }),
  )

  test(
    "are sent behind a pooler too",
    Effect.gen(function* () {
      const { org, transaction, enqueue, heard } = yield* start(false, { pooled: true })
      yield* transaction(org, enqueue("document"))
      assert.deepStrictEqual(yield* heard, ["org document"])
    }),
  )
})

const layerOf = (options: Omit<PostgresOptions, "url">) =>
  Layer.unwrap(Effect.map(migratedPostgresUrl, (url) => layerPostgres({ ...options, url: Redacted.make(url) })))

for (const [name, database, expected] of [
  ["PostgreSQL", layerOf({}), { sends: true, listens: true }],
  ["a pooler", layerOf({ pooled: true }), { sends: true, listens: false }],
  ["PostgreSQL with `listen: false`", layerOf({ listen: false }), { sends: true, listens: false }],
  ["PGlite", engines[0].database, { sends: false, listens: false }],
  ["Citus", citus.database, { sends: false, listens: false }],
] as const) {
  describe(`the adapter of ${name}`, whereIs({ name }), () => {
    const does = `${expected.sends ? "sends" : "sends no"} notifications, and ${expected.listens ? "listens" : "does not listen"}`
    test(
      does,
      Effect.gen(function* () {
        const notifications = Context.get(yield* Layer.build(database), Notifications)
        const seen = { sends: notifications !== undefined, listens: notifications?.listen !== undefined }
        assert.deepStrictEqual(seen, expected)
      }),
    )
  })
}
