import { afterAll, assert, beforeAll, describe, expectTypeOf, it } from "vitest"
import { type Client, createClient } from "../../src/adapters/client/client.ts"
import { CONTRACT } from "./endpoints.ts"
import { failureOf } from "./failures.ts"
import { startServer, type TestServer } from "./server.ts"
import { connectAssistant } from "../mcp/signIn.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { collect } from "./collect.ts"

const BATTLECARD = "# Orvanta\n\nOrvanta charges $40 per seat and month.\n"

describe("the client", () => {
  let server: TestServer
  let client: Client
  /** The endpoints that answered with success. */
  const reached = new Set<string>()
  /** Requests, as `GET /api/v1/deals`. */
  let sent: Array<string> = []

  beforeAll(async () => {
    server = await startServer()
    client = createClient({
      baseUrl: server.url,
      key: server.key,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        const { pathname } = new URL(url)
        sent.push(`${init.method} ${pathname}`)
        const matching = CONTRACT.filter(({ matches }) => matches(init.method!, pathname))
        // `/deals/export` also looks like `/deals/:id`; the router takes the one with fewer parameters.
        const [endpoint] = matching.toSorted((a, b) => a.name.split(":").length - b.name.split(":").length)
        if (response.ok && endpoint !== undefined) reached.add(endpoint.name)
        return response
      },
    })
  })
  afterAll(() => server.close())

  it("lists deals with the columns asked for, and types the rows by them", async () => {
    const rows = await client.deals.list({
      status: ["Won"],
      amount: { min: 100 },
      columns: ["name", "amount", "crm_forecast", "custom_metric_score_fit", "custom_answer_why_us", "competitors"],
      sort: "amount",
      sort_order: "asc",
    })
    assert.deepStrictEqual(
      rows.map(({ name, amount, crm_forecast, custom_metric_score_fit, custom_answer_why_us }) => [
        name,
        amount,
        crm_forecast,
        custom_metric_score_fit,
        custom_answer_why_us,
      ]),
      [200, 400, 600].map((amount) => [`Deal ${amount / 100}`, amount, "commit", 4, "Speed"]),
    )
    assert.strictEqual(rows[0]!.competitors[0]!.name, "Orvanta")
    expectTypeOf(rows[0]!.amount).toEqualTypeOf<number | null>()
    expectTypeOf(rows[0]!.custom_metric_score_fit).toEqualTypeOf<number | null>()
    expectTypeOf(rows[0]!.custom_answer_why_us).toEqualTypeOf<string | null>()
    expectTypeOf(rows[0]!).not.toHaveProperty("status_id")
  })

  it("reads every page, when the loop reaches it", async () => {
    sent = []
    const ids: Array<string> = []
    for await (const { id } of client.deals.list.each({ page_size: 3, sort: "name", sort_order: "asc" })) {
      ids.push(id)
      if (ids.length === 2) assert.lengthOf(sent, 1)
    }
    assert.deepStrictEqual(ids, ["d0", "d1", "d2", "d3", "d4", "d5", "d6"])
    assert.lengthOf(sent, 3)
    assert.deepStrictEqual(
      (await collect(client.deals.list.pages({ page_size: 5 }))).map(({ length }) => length),
      [5, 2],
    )
  })

  it("reports numbers by group, with the filters of their deals", async () => {
    const { data, totals } = await client.reports.deals({ measures: ["deals", "amount"], group_by: ["outcome"] })
    assert.deepStrictEqual(
      data.map(({ group, values }) => [group["outcome"], values]),
      [
        [
          { id: "won", name: "won" },
          { deals: 4, amount: 1200 },
        ],
        [
          { id: "lost", name: "lost" },
          { deals: 3, amount: 900 },
        ],
      ],
    )
    assert.strictEqual(totals.values["deals"], await client.deals.count({}))
    for (const { filters, values } of data) assert.strictEqual(await client.deals.count(filters), values["deals"])
    const mentions = await client.reports.associations({ group_by: ["feature"] })
    assert.strictEqual(mentions.totals.values["mentions"], 1)
  })

  it("counts, reads, changes and deletes deals", async () => {
    assert.strictEqual(await client.deals.count({ status: ["Lost"] }), 3)
    const all = await client.deals.get({ id: "d1", columns: ["*"] })
    assert.strictEqual(all.deal_status, "Lost")
    const changed = await client.deals.update({ id: "d1", amount: 150 })
    assert.strictEqual(changed.amount, 150)
    assert.lengthOf((await client.deals.stages({ id: "d1" })).data, 1)
    const [association] = (await client.intelligence.export({ tags: ["blocker"], sentiment: "positive" })).data
    assert.strictEqual(association?.features.name, "Single sign-on")
    assert.isUndefined(await client.intelligence.delete({ id: "a1" }))
    assert.isUndefined(await client.deals.delete({ id: "d6" }))
  })

  it("exports, waits, and opens the file", async () => {
    const { export_id } = await client.exports.create({ columns: ["name", "amount"], filters: { deal_ids: ["d2"] } })
    const states: Array<string> = []
    const done = await client.waitForExport(export_id, { onProgress: ({ status }) => states.push(status) })
    assert.strictEqual(states.at(-1), "completed")
    assert.strictEqual(await (await client.exports.download(done)).text(), "name,amount\r\nDeal 2,200\r\n")
    assert.strictEqual((await client.exports.get({ export_id })).row_count, 1)
    await client.exports.delete({ export_id })
  })

  it("uploads, waits, and reads the file back", async () => {
    const progress: Array<number> = []
    const file = new File([BATTLECARD], "orvanta.md", { type: "text/markdown" })
    const { document, run_id } = await client.library.uploadToLibrary(
      { file, type: "intel", competitor_name: "Orvanta" },
      { onProgress: ({ sentBytes, totalBytes }) => progress.push(sentBytes / totalBytes!) },
    )
    assert.strictEqual(progress.at(-1), 1)
    assert.strictEqual(document.file_name, "orvanta.md")
    assert.strictEqual((await client.waitForRun(run_id)).status, "completed")
    assert.strictEqual((await client.waitForDocument(document.id)).status, "ready")
    assert.strictEqual(await (await client.library.original({ id: document.id })).text(), BATTLECARD)
    const again = await client.library.reprocess({ id: document.id })
    await client.waitForRun(again.run_id)
    const listed = await collect(client.library.list.each({ competitor_id: "orvanta" }))
    assert.deepStrictEqual(
      listed.map(({ id }) => id),
      [document.id],
    )
  })

  it.each([
    ["bytes", () => new TextEncoder().encode("a note in bytes")],
    ["a stream", () => new Blob(["a note in a stream"]).stream()],
    ["a function that opens a stream", () => () => new Blob(["a note opened again"]).stream()],
    [
      "an async iterable",
      () =>
        (async function* () {
          yield new TextEncoder().encode("a note ")
          yield new TextEncoder().encode("in two pieces")
        })(),
    ],
  ])("uploads %s to a deal", async (_, open) => {
    const file_name = 'a "quoted" name; of 100 % Ökö.txt'
    const { document } = await client.library.uploadToDeal({ file: open(), file_name, deal_id: "d2" })
    assert.strictEqual(document.file_name, file_name)
    assert.strictEqual(document.content_type, "text/plain")
    assert.strictEqual((await client.waitForDocument(document.id)).status, "ready")
    await client.library.delete({ id: document.id })
  })

  it("sends the address of a file, and reports why a document failed", async () => {
    const file = new URL("http://127.0.0.1:1/notes.md")
    const refused = await failureOf(client.library.uploadToDeal({ file, deal_id: "d2" }))
    assert.deepStrictEqual(
      refused.invalidFields.map(({ field }) => field),
      ["file_url"],
    )
    const damaged = await client.library.uploadToDeal({
      file: new Blob(["%PDF-1.7\nnothing of a page"], { type: "application/pdf" }),
      file_name: "damaged.pdf",
      deal_id: "d2",
    })
    const failed = await failureOf(client.waitForRun(damaged.run_id))
    assert.strictEqual(failed.code, "run_failed")
    assert.strictEqual((await failureOf(client.waitForDocument(damaged.document.id))).code, "document_failed")
  })

  it("answers whole and in events, which are the same", async () => {
    const messages = [{ role: "user", content: "What does Orvanta charge per seat?" }] as const
    const whole = await client.answers.create({ messages })
    assert.match(whole.message.content, /\$40 per seat/)
    const events = await collect(client.answers.stream({ messages }))
    const text = events.flatMap((event) => (event.type === "content_delta" ? [event.content] : [])).join("")
    const done = events.at(-1)!
    assert.strictEqual(done.type, "done")
    assert.strictEqual(done.type === "done" && done.message.content, text)
    assert.strictEqual(text, whole.message.content)
  })

  it("manages keys, webhooks and names", async () => {
    const made = await client.access.createKey({ name: "narrow", role: "viewer" })
    const { key } = await client.access.rotateKey({ id: made.id, grace_seconds: 0 })
    assert.notStrictEqual(key, made.key)
    assert.isTrue((await client.access.listKeys()).data.some(({ id }) => id === made.id))
    await client.access.revokeKey({ id: made.id, descendants: true })
    assert.strictEqual((await client.access.usage()).organization.plan, UNLIMITED)

    const hook = await client.webhooks.create({ url: "https://hooks.example.com/in" })
    const { id } = hook
    assert.strictEqual((await client.webhooks.get({ id })).url, hook.url)
    assert.strictEqual((await client.webhooks.update({ id, status: "paused" })).status, "paused")
    assert.notStrictEqual((await client.webhooks.rotate({ id })).secret, hook.secret)
    await client.webhooks.update({ id, status: "enabled" })
    const delivery = await client.webhooks.test({ id })
    assert.include(
      (await collect(client.webhooks.deliveries.each({ id }))).map((each) => each.id),
      delivery.id,
    )
    assert.strictEqual(
      (await client.webhooks.replay({ id, from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" })).replayed,
      0,
    )
    assert.lengthOf((await client.webhooks.list()).data, 1)
    await client.webhooks.delete({ id })

    assert.strictEqual((await client.workspace.get()).competitors.data[0]?.name, "Orvanta")
    assert.strictEqual((await client.workspace.update({ currency: "EUR" })).currency, "EUR")
    assert.strictEqual((await client.workspace.put({ kind: "competitors", id: "new", name: "New" })).name, "New")
    assert.lengthOf(await collect(client.workspace.list.each({ kind: "competitors" })), 2)
    await client.workspace.delete({ kind: "competitors", id: "new" })
  })

  it("imports records from objects, an async iterable, NDJSON and CSV", async () => {
    const record = { type: "owner", id: "o1", name: "Ada" } as const
    assert.strictEqual((await client.workspace.import({ records: [record] })).created, 1)
    const generated = (async function* () {
      yield { ...record, id: "o2", name: "Bob" }
    })()
    assert.strictEqual((await client.workspace.import({ records: generated })).created, 1)
    assert.strictEqual((await client.workspace.import({ ndjson: JSON.stringify(record) })).unchanged, 1)
    const csv = "Full name\nCyd\n"
    const { created, import_id: id = "" } = await client.workspace.import({ csv, type: "owner", map: "Full name=name" })
    assert.strictEqual(created, 1)
    await client.waitForRun((await client.workspace.undoImport({ id })).run_id)
    assert.deepInclude((await client.workspace.getImport({ id })).undone, { status: "completed", removed: 1 })
  })

  it("follows the change feed and the audit log to their ends", async () => {
    const changes = await collect(client.changes.list.each({ types: ["deal"], page_size: 2 }))
    assert.sameMembers([...new Set(changes.map(({ id }) => id))], ["d0", "d1", "d2", "d3", "d4", "d5", "d6"])
    assert.isEmpty((await client.changes.list({ since: changes.at(-1)!.cursor, types: ["deal"] })).data)
    const acts = await collect(client.audit.list.each({ types: ["key.created"] }))
    assert.isAbove(acts.length, 0)
  })

  it("analyzes a deal, judges a finding and verifies it", async () => {
    const call = "Dana (Customer): Orvanta was much cheaper than you.\n"
    const file = new File([call], "call.txt", { type: "text/plain" })
    await client.waitForRun((await client.library.uploadToDeal({ file, deal_id: "d4" })).run_id)
    await client.waitForRun((await client.analysis.run({ id: "d4" })).run_id)
    const { findings } = await client.analysis.get({ id: "d4" })
    const found = findings.find(({ kind }) => kind === "competitor")
    assert.strictEqual(found?.target?.name, "Orvanta")
    assert.isTrue((await client.analysis.queue()).data.some(({ deal_id }) => deal_id === "d4"))
    const judged = await client.analysis.judge({ id: "d4", finding_id: found!.id, state: "accepted" })
    assert.strictEqual(judged.state, "accepted")
    assert.isAbove((await client.analysis.quality()).data.length, 0)
    assert.deepInclude((await client.analysis.labels()).data[0], { id: found!.id, state: "accepted" })
    await client.analysis.verify({ id: "d4" })
    const filters = { deal_ids: ["d4"] }
    assert.deepInclude(await client.analysis.estimate({ filters }), { deals: 1, unchanged: 1, method: "extracted" })
    const { run_id } = await client.analysis.runMany({ filters })
    await client.waitForRun(run_id)
    assert.deepInclude(await client.analysis.progress({ id: run_id }), { status: "completed", ready: 1 })
    assert.deepStrictEqual((await client.analysis.spending()).tokens, { input: 0, output: 0 })
  })

  it("makes a link to the console, lists and ends its sessions, and disconnects an assistant", async () => {
    const link = new URL((await client.sessions.createLink()).url).hash.slice(1)
    await fetch(`${server.url}/console/session`, {
      method: "POST",
      body: JSON.stringify({ link }),
      headers: { "x-sightline-console": "1" },
    })
    await client.sessions.end({ id: (await client.sessions.list()).data[0]!.id })
    assert.isEmpty((await client.sessions.list()).data)
    await connectAssistant(server.url, server.key)
    await client.grants.end({ id: (await client.grants.list()).data[0]!.id })
  })

  it("adds a member, gives another role, and removes the member", async () => {
    const { id } = await client.members.put({ email: "ada@example.com", role: "viewer" })
    await client.members.put({ email: "ADA@example.com", role: "admin" })
    assert.deepInclude((await client.members.list()).data[0], { id, role: "admin" })
    await client.members.remove({ id })
  })

  it("keeps conversations, and deletes them", async () => {
    const messages = [{ role: "user" as const, content: "How many deals are there?" }]
    const id = (await client.answers.create({ messages, conversation: "new" })).conversation_id ?? ""
    assert.lengthOf((await client.conversations.get({ id })).turns, 1)
    await client.conversations.delete({ id })
    await client.conversations.deleteAll()
    assert.isEmpty((await client.conversations.list()).data)
  })

  it("saves views and boards, and deletes them", async () => {
    const board = await client.views.createBoard({ name: "Weekly", shared: true })
    const report = { subject: "deals", measures: ["deals"], group_by: ["outcome"] } as const
    const view = await client.views.create({ name: "Outcomes", board_id: board.id, report })
    assert.strictEqual((await client.views.update({ id: view.id, name: "By outcome" })).name, "By outcome")
    assert.deepStrictEqual(
      (await client.views.list({ board_id: board.id })).data.map(({ name }) => name),
      ["By outcome"],
    )
    assert.strictEqual((await client.views.listBoards()).data[0]?.reports, 1)
    await client.views.delete({ id: view.id })
    await client.views.deleteBoard({ id: board.id })
    assert.isEmpty((await client.views.listBoards()).data)
  })

  it("reaches every endpoint of the contract", () => {
    assert.sameMembers(
      [...reached],
      CONTRACT.map(({ name }) => name),
    )
    assert.isAbove(reached.size, 35)
  })
})
