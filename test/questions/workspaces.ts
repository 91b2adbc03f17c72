import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Client, type QueryResult } from "pg"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Documents } from "../../src/core/library/Documents.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { makeDemo } from "../../src/adapters/cli/demo/makeDemo.ts"
import { makeDemoDocuments } from "../../src/adapters/cli/demo/makeDocuments.ts"
import { SELLERS } from "../../src/adapters/cli/demo/sellers.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { importPublicCrm, present } from "../support/publicCrm.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary } from "../support/web.ts"
import { converse } from "./converse.ts"
import type { Answer, Facts, Row } from "./grade.ts"
import { NOTES } from "./notes.ts"
import type { Question, WorkspaceName } from "./question.ts"
import { viewsOf } from "./views.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"

const DEMO = SELLERS[0]!

/** Both workspaces on one PostgreSQL: questions go through HTTP, truths through SQL. */
export interface Workspaces {
  /** The CRM set is absent where its files are. */
  readonly names: ReadonlyArray<WorkspaceName>
  /** Asks every turn, and returns the answer to the last one. */
  readonly answer: (question: Question) => Promise<Answer>
  /** The rows of each reading of a truth: quarters and years may be the workspace's fiscal ones, or the calendar's. */
  readonly facts: (question: Question) => Promise<Facts>
  /** One query over the views of a workspace. */
  readonly query: (workspace: WorkspaceName, sql: string) => Promise<ReadonlyArray<Row>>
  readonly dispose: () => Promise<void>
}

/** Uploads the demo's documents and the notes, and waits until the worker has read them. */
const addDocuments = Effect.fnUntraced(function* (now: number) {
  yield* makeDemoDocuments(now)
  const documents = yield* Documents
  for (const { file_name, competitor, markdown } of NOTES) {
    const bytes = Stream.succeed(new TextEncoder().encode(markdown))
    yield* documents.upload(DEMO.id, { type: "intel", competitor }, { file_name, content_type: "text/markdown", bytes })
  }
  const list = documents.list(DEMO.id, {}, { size: 100, cursor: undefined })
  const isRead = ({ status }: { readonly status: string }) => status === "ready" || status === "failed"
  const all = yield* untilEffect(
    "the documents are read",
    Effect.map(list, ({ data }) => data.every(isRead) && data),
  )
  const failed = all.find(({ status }) => status === "failed")
  if (failed !== undefined) return yield* Effect.die(new Error(`${failed.file_name}: ${failed.failure_reason}`))
})

const importCrm = Effect.gen(function* () {
  const { id } = yield* (yield* Organizations).create({ name: "CRM set", plan: UNLIMITED })
  for (const { failed, errors } of yield* importPublicCrm(id)) {
    if (failed > 0) return yield* Effect.die(new Error(`the CRM set does not import: ${JSON.stringify(errors[0])}`))
  }
  return id
})

/** Fills both workspaces into an empty database, for questions of the day of `now`. Answers have the machine's clock. */
export const openWorkspaces = async (url: string, now = Date.now()): Promise<Workspaces> => {
  const sightline = await Sightline.open({
    database: layerPostgres({ url: Redacted.make(url) }),
    library: layerLibrary(),
    plans: UNLIMITED_PLANS,
  })
  const owner = new Client({ connectionString: url, options: "-c timezone=UTC" })
  const dispose = async () => {
    await owner.end()
    await sightline.dispose()
  }
  try {
    await sightline.ready({ seconds: 600 })
    await owner.connect()
    const orgs = new Map<WorkspaceName, string>()
    await sightline.run(Effect.andThen(makeDemo({ until: now }), addDocuments(now)))
    orgs.set("demo", DEMO.id)
    if (present) orgs.set("crm", await sightline.run(importCrm))
    await owner.query(
      "update sightline.plans set requests_per_minute = 1e6, requests_per_key_minute = 1e6, requests_per_month = 1e6",
    )
    const keys = new Map<WorkspaceName, string>()
    const fiscalStarts = new Map<WorkspaceName, ReadonlyArray<number>>()
    await owner.query("select set_config('truth.today', $1, false)", [new Date(now).toISOString().slice(0, 10)])
    for (const [name, org] of orgs) {
      const { key } = await sightline.run(ApiKeys.use((keys) => keys.create(org, { name: "questions", role: "owner" })))
      keys.set(name, key)
      for (const statement of viewsOf(name, org)) await owner.query(statement)
      const { rows } = await owner.query<{ month: number }>(
        "select fiscal_start as month from sightline.organizations where id = $1",
        [org],
      )
      fiscalStarts.set(name, [...new Set([rows[0]!.month, 1])])
    }
    const query = async (workspace: WorkspaceName, sql: string, fiscalStart = fiscalStarts.get(workspace)!.at(-1)!) => {
      // One message, which no other query of the connection comes between.
      const results = (await owner.query(
        `set search_path = truth_${workspace}, sightline, public; set truth.fiscal_start = ${fiscalStart}; ${sql}`,
      )) as unknown as ReadonlyArray<QueryResult<Record<string, unknown>>>
      return results.at(-1)!.rows.map(toRow)
    }
    return {
      names: [...orgs.keys()],
      answer: ({ workspace, turns }) => converse(sightline.handler, keys.get(workspace)!, turns),
      facts: async ({ workspace, truth }) => {
        const readings: Array<ReadonlyArray<Row>> = []
        for (const month of fiscalStarts.get(workspace)!)
          for (const sql of "sql" in truth ? truth.sql : []) readings.push(await query(workspace, sql, month))
        return readings
      },
      query,
      dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** The driver gives `bigint` and `numeric` as text. */
const toRow = (row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value === null || typeof value === "number") return [column, value]
      const text = String(value)
      return [column, column !== "name" && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text]
    }),
  )
