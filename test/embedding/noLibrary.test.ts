import { assert, it } from "@effect/vitest"
import { layerEmbedded } from "../support/embedded.ts"
import { ApiKeys, Database, open, Organizations, Usage } from "../../src/core/Sightline.ts"
import { UNLIMITED } from "../support/unlimited.ts"

it("without a library, refuses uploads and exports at once, takes no quota, and leaves their jobs to others", async () => {
  const database = layerEmbedded
  await using sightline = await open({ database })
  await sightline.ready({ seconds: 600 })
  const { run, handler, tick } = sightline
  const { id: org } = await run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
  const { key } = await run(ApiKeys.use(({ create }) => create(org, { name: "host", role: "owner" })))
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const reply = await handler(
      new Request(`http://localhost/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    )
    return { status: reply.status, error: ((await reply.json()) as any).error }
  }
  const upload = { content_type: "text/plain", file_name: "a.txt", type: "intel", file_base64: btoa("text") }
  for (const { status, error } of [
    await post("/documents/library", upload),
    await post("/deals/export", { columns: ["name"] }),
  ]) {
    assert.strictEqual(status, 403)
    assert.deepInclude(error, { code: "forbidden", details: { reason: "no_library" } })
    assert.include(error.message, "without a `library`")
  }
  const { organization } = await run(Usage.use(({ read }) => read(org)))
  assert.strictEqual(organization.exports_used, 0)
  const jobs = () =>
    run(
      Database.use(({ sql, scoped }) =>
        scoped<{ n: number }>(org, sql`select count(*)::int as n from jobs where org_id = scope.org`),
      ),
    )
  assert.deepStrictEqual(await jobs(), [{ n: 0 }])

  // A process without stores must not fail the exports of one that has them.
  await run(
    Database.use(({ sql, transaction }) =>
      transaction(
        org,
        sql`insert into jobs ${sql.insert({ org_id: org, id: "run_1", kind: "export", subject: "exp_1" })}`,
      ),
    ),
  )
  assert.notProperty((await tick({ seconds: 600 })).done, "export")
})
