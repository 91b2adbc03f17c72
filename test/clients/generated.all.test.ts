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
import { installPackages } from "../../build/installPackages.ts"
import { serve } from "../../src/adapters/node.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = "test/clients/generated"
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

describe("the client that @hey-api/openapi-ts generates from the served description", () => {
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
    copyFileSync(join(ROOT, FOLDER, "host.ts.txt"), join(directory, "host.ts"))
    const generator = join(await installPackages(FOLDER), ".bin/openapi-ts")
    await program(generator, ["-i", description, "-o", join(directory, "hey"), "--silent"], { cwd: directory })
  })

  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("compiles under strict types, with what callers send and read", async () => {
    const { stdout } = await program(join(BINARIES, "tsc"), ["-p", directory]).catch((failed) => failed)
    assert.strictEqual(stdout, "")
  })

  it("does not compile with a misspelt filter", async () => {
    const path = join(directory, "misspelt.ts")
    writeFileSync(path, readFileSync(join(directory, "host.ts"), "utf8").replace("analyzed: true", "analysed: true"))
    const { stdout } = await program(join(BINARIES, "tsc"), ["-p", directory]).catch((failed) => failed)
    rmSync(path)
    assert.match(stdout, /misspelt\.ts.*analysed/s)
  })

  it("sends a filtered list, a question, an upload and an export as the server reads them", async () => {
    const env = { ...process.env, BASE: base, KEY: key }
    const { stdout } = await program(join(BINARIES, "bun"), [join(directory, "host.ts")], { cwd: ROOT, env })
    const { content, ...reply } = JSON.parse(stdout) as { readonly content?: string }
    assert.deepStrictEqual(reply, { names: ["Deal 1"], status: "processing", exported: "pending" })
    assert.match(content ?? "", /2/)
  })
})
