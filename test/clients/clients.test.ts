import { execFile } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { serve } from "../../src/adapters/node.ts"
import { ApiKeys } from "../../src/core/access/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const HERE = fileURLToPath(new URL(".", import.meta.url))
const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const program = promisify(execFile)
const BINARIES = join(ROOT, "node_modules", ".bin")

const RECORDS = [
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "stage", id: "open", name: "Open", category: "open" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", label: "Forecast", data_type: "text" },
  ...["won", "won", "lost", "open"].map((status, n) => ({
    type: "deal",
    id: `d${n}`,
    name: `Deal ${n}`,
    status,
    amount: n * 100,
    deal_analyzed: true,
    crm_properties: { forecast: n === 2 ? "omitted" : "commit" },
  })),
]

/** Checks as a project of ours with strict types would, for a bundler. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
  },
  include: ["*.ts", "hey"],
}

describe("clients generated from the served description", () => {
  const scope = Effect.runSync(Scope.make())
  // Inside the project, so that the programs find its packages.
  const directory = mkdtempSync(join(ROOT, "node_modules", ".clients-"))
  let base = ""
  let key = ""

  beforeAll(async () => {
    const started = await Effect.runPromise(
      Effect.gen(function* () {
        const options = {
          database: engines.at(-1)!.database,
          library: layerLibrary(),
          port: 0,
          prepare: Effect.gen(function* () {
            const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
            key = (yield* (yield* ApiKeys).create(id, { name: "clients", role: "owner" })).key
            yield* (yield* Import).records(id, Stream.fromIterable(RECORDS))
          }),
        }
        return yield* serve(options)
      }).pipe(Scope.provide(scope)),
    )
    base = started.url
    const description = join(directory, "openapi.json")
    writeFileSync(description, await (await fetch(`${base}/openapi.json`)).text())
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG))
    for (const name of ["openapiFetch", "heyApi"]) {
      copyFileSync(join(HERE, `${name}.ts.txt`), join(directory, `${name}.ts`))
    }
    await program(process.execPath, [join(HERE, "generate.ts"), description, directory], { cwd: ROOT })
  })

  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const run = async (name: string) => {
    const env = { ...process.env, BASE: base, KEY: key }
    const { stdout } = await program(join(BINARIES, "bun"), [join(directory, `${name}.ts`)], { cwd: ROOT, env })
    return JSON.parse(stdout) as { names?: unknown; content?: string; status?: string; error?: unknown }
  }

  it("compile under strict types, what callers send and read included", async () => {
    const { stdout } = await program(join(BINARIES, "tsc"), ["-p", directory]).catch((failed) => failed)
    assert.strictEqual(stdout, "")
  })

  it("would not compile with a filter that there is not", async () => {
    const path = join(directory, "misspelt.ts")
    writeFileSync(path, readFileSync(join(directory, "heyApi.ts"), "utf8").replace("analyzed: true", "analysed: true"))
    const { stdout } = await program(join(BINARIES, "tsc"), ["-p", directory]).catch((failed) => failed)
    rmSync(path)
    assert.match(stdout, /misspelt\.ts.*analysed/s)
  })

  for (const [name, status] of [
    ["openapiFetch", "pending"],
    ["heyApi", "processing"],
  ] as const) {
    it(`${name}: a filtered list, a question and a job reach the server as meant`, async () => {
      const reply = await run(name)
      assert.isUndefined(reply.error)
      assert.deepStrictEqual(reply.names, ["Deal 1"])
      assert.match(reply.content ?? "", /2/)
      assert.strictEqual(reply.status, status)
    })
  }
})
