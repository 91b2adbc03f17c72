import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { askedOf, right } from "../../analysis/scriptedModel.ts"
import { CALL, RECORDS } from "../../analysis/workspace.ts"
import { modelServer } from "../../answers/modelServer.ts"
import { migratedPostgresUrl } from "../../support/engines.ts"
import { run, startServer } from "../processes.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-analyze-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

describe("sightline analyze", () => {
  it.effect("says what it would cost, analyzes, and says what it has cost", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const model = yield* modelServer((request, nth) => {
        const asked = askedOf(request)
        const answer = right(asked, nth)
        return "acts" in answer ? answer.acts : [{ call: asked.form, args: answer.fill }]
      })
      const settings = {
        SIGHTLINE_DATA_DIR: join(at, "data"),
        SIGHTLINE_DATABASE_URL: yield* migratedPostgresUrl,
        SIGHTLINE_MODEL_URL: model.url,
        SIGHTLINE_MODEL_MODEL: "scripted-1",
        SIGHTLINE_MODEL_PRICES: "1000000,0",
      }
      const sightline = (args: ReadonlyArray<string>, more: Record<string, string> = {}) =>
        Effect.promise(() => run(args, { ...settings, ...more }))
      const { id } = JSON.parse((yield* sightline(["orgs", "create", "--name", "Acme", "--json"])).stdout)
      writeFileSync(join(at, "w.ndjson"), RECORDS.map((each) => `${JSON.stringify(each)}\n`).join(""))
      writeFileSync(join(at, "call.vtt"), CALL)
      assert.strictEqual((yield* sightline(["import", "--org", id, join(at, "w.ndjson")])).code, 0)
      const { key } = JSON.parse(
        (yield* sightline(["keys", "create", "--org", id, "--role", "admin", "--json"])).stdout,
      )
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startServer("Node", settings)),
        ({ child, finished }) => Effect.promise(() => (child.kill("SIGTERM"), finished)),
      )
      const analyze = (...args: ReadonlyArray<string>) =>
        sightline(["analyze", "--url", server.url, ...args], { SIGHTLINE_API_KEY: key })

      const empty = yield* analyze()
      assert.deepStrictEqual([empty.code, empty.stdout], [1, ""])
      assert.include(empty.stderr, "none of these deals has a document")
      const uploaded = yield* sightline(["upload", "--org", id, "--deal", "d1", "--wait", join(at, "call.vtt")])
      assert.strictEqual(uploaded.code, 0, uploaded.stderr)

      const dry = yield* analyze("--dry-run")
      assert.strictEqual(dry.code, 0, dry.stderr)
      assert.match(dry.stdout, /^1 deal, 0 of them unchanged; 1 document to read\nat most about [\d,]+ input and/)
      assert.lengthOf(model.requests, 0)

      const done = yield* analyze("--deals", "d1,d2")
      assert.strictEqual(done.code, 0, done.stderr)
      const tokens = Number(
        /(\d+) findings · ([\d,]+) tokens \(US\$ ([\d,.]+)\)/.exec(done.stdout)?.[3]?.replaceAll(",", ""),
      )
      const again = JSON.parse((yield* analyze("--deals", "d1", "--json")).stdout)
      assert.deepInclude(again, { status: "completed", ready: 1, tokens: { input: 0, output: 0 }, cost: 0 })
      assert.isAbove(tokens, 0)

      const misspelt = yield* analyze("--filter", "colour=red")
      assert.deepStrictEqual([misspelt.code, misspelt.stderr], [2, "sightline: colour is no filter\n"])
    }),
  )
})
