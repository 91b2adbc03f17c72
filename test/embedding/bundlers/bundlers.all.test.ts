import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"
import { OPTIONAL_PACKAGES, type OptionalPackage } from "../../../src/core/common/optionalPackage.ts"
import { pagesOf } from "../../ingest/support/pdf.ts"
import { bin, execute, pack, packagesFor, project, ROOT, textOf } from "../../package/packed.ts"
import { tones } from "../../support/recordings.ts"

const HERE = "test/embedding/bundlers"
const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
/** The directory in which the host is bundled: no optional package is installed. */
const app = project()
/** The directory in which the bundle runs: only optional packages are installed. */
const machine = mkdtempSync(join(tmpdir(), "sightline-deployed-"))
const at = (path: string) => join(machine, path)

const installOn = (...names: ReadonlyArray<OptionalPackage>) => {
  for (const name of names) {
    mkdirSync(dirname(at(`node_modules/${name}`)), { recursive: true })
    symlinkSync(join(ROOT, "node_modules", name), at(`node_modules/${name}`))
  }
}

beforeAll(async () => {
  for (const name of ["package.json", "package-lock.json", "host.js"]) app.write(name, textOf(`${HERE}/${name}`))
  await app.install(await pack(packed), packagesFor("embed with PostgreSQL"))
  writeFileSync(at("prices.md"), "# Prices\n\nOrvanta charges 40 dollars per seat.")
  writeFileSync(at("card.pdf"), pagesOf([[{ text: "Orvanta charges 40 dollars per seat.", x: 72, y: 700 }]]))
  writeFileSync(at("call.wav"), tones(8_000))
})
afterAll(() => {
  app.remove()
  for (const directory of [packed, machine]) rmSync(directory, { recursive: true, force: true })
})

// Packages that are CommonJS modules call `require`.
const BANNER =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url)'
const ESBUILD = ["--bundle", "--splitting", "--format=esm", "--platform=node", `--banner:js=${BANNER}`]
const esbuild = (...args: ReadonlyArray<string>) => run(app.path("node_modules/.bin/esbuild"), ...ESBUILD, ...args)

const WEBPACK = `import webpack from "webpack"
const compiler = webpack({
  entry: { host: "./host.js" },
  output: { path: process.argv[2], filename: "[name].js", module: true, chunkFormat: "module" },
  target: "node24",
  mode: "production",
})
compiler.run((error, stats) => {
  if (error) throw error
  console.log(stats.toString(stats.hasErrors() ? undefined : { all: false, warnings: true }))
  process.exitCode = stats.hasErrors() ? 1 : 0
})
`

/** Runs a bundler's command in `app`. Returns what it prints. */
const run = (program: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(program, [...args], { cwd: app.directory, encoding: "utf8" })
  const printed = `${stdout}\n${stderr}`
  assert.strictEqual(status, 0, printed)
  return printed
}

/** Bundlers that write `host.js` into a folder, and return their warnings. */
const BUNDLERS: Readonly<Record<string, (folder: string) => string | Promise<string>>> = {
  "Vite's SSR build": (folder) => {
    const config = { build: { ssr: "host.js", outDir: folder }, ssr: { noExternal: true }, logLevel: "warn" }
    app.write("vite.config.js", `export default ${JSON.stringify(config)}`)
    return run(app.path("node_modules/.bin/vite"), "build")
  },
  Rollup: (folder) => {
    app.write(
      "rollup.config.js",
      `import commonjs from "@rollup/plugin-commonjs"
import json from "@rollup/plugin-json"
import resolve from "@rollup/plugin-node-resolve"
const plugins = [resolve({ preferBuiltins: true }), commonjs(), json()]
export default { input: "host.js", output: { dir: ${JSON.stringify(folder)}, format: "es" }, plugins }
`,
    )
    return run(app.path("node_modules/.bin/rollup"), "-c")
  },
  Rolldown: async (folder) => {
    const logs: Array<string> = []
    const bundle = await rolldown({
      input: app.path("host.js"),
      platform: "node",
      onLog: (_, { message }) => logs.push(message),
    })
    await bundle.write({ dir: folder, minify: true })
    return logs.join("\n")
  },
  esbuild: (folder) => esbuild("host.js", "--minify", "--log-level=warning", `--outdir=${folder}`),
  "webpack, as Next uses it": (folder) => {
    app.write("webpack.js", WEBPACK)
    return run(bin("node"), "webpack.js", folder)
  },
  "Bun's build": (folder) => run(bin("bun"), "build", "host.js", "--target=node", "--minify", `--outdir=${folder}`),
}

/** The lines of a bundler's output that say something about an optional package. */
const complaints = (printed: string) =>
  printed
    .split("\n")
    .filter((line) => Object.keys(OPTIONAL_PACKAGES).some((name) => line.includes(name)) && !/\d [kKM]i?B/.test(line))

/** Runs a bundle on the other machine, where the package itself is missing. Returns what became of the documents, by name. */
const upload = async (folder: string, files: ReadonlyArray<string>, reader = "") => {
  const args = [`READER=${reader}`, bin("node"), join(folder, "host.js"), ...files]
  // webpack writes the address of the package's files into the bundle.
  const [installed, hidden] = [app.path("node_modules"), app.path("hidden")]
  renameSync(installed, hidden)
  try {
    const printed = await execute("/usr/bin/env", args, machine)
    return JSON.parse(printed.trim().split("\n").at(-1)!) as Readonly<Record<string, string>>
  } finally {
    renameSync(hidden, installed)
  }
}

describe("a host bundled without optional packages", () => {
  beforeAll(() => installOn("@electric-sql/pglite"))

  it.each(Object.keys(BUNDLERS))(
    "by %s builds in silence, reads in a thread, and names what is missing",
    async (name) => {
      const folder = app.path("built")
      rmSync(folder, { recursive: true, force: true })
      assert.deepStrictEqual(complaints(await BUNDLERS[name]!(folder)), [])
      cpSync(folder, at(name), { recursive: true })
      rmSync(folder, { recursive: true })
      const { redis, ...said } = await upload(name, ["prices.md", "card.pdf", "call.wav"])
      assert.strictEqual(said["prices.md"], "ready")
      assert.match(said["card.pdf"]!, /`npm install pdfjs-dist@/)
      assert.match(said["call.wav"]!, /`npm install mediabunny@/)
      assert.match(redis!, /`npm install redis@/)
    },
  )
})

describe("a bundled host on a machine that has optional packages", () => {
  beforeAll(() => installOn("pdfjs-dist", "redis"))

  it.each(Object.keys(BUNDLERS))("loads them, if %s made it", async (name) => {
    const { redis, ...said } = await upload(name, ["prices.md", "card.pdf"])
    assert.deepStrictEqual(said, { "prices.md": "ready", "card.pdf": "ready" })
    assert.match(redis!, /unreachable/)
  })
})

describe("a host that says where its thread is", () => {
  const made = at("chosen")
  beforeAll(() => {
    const worker = "node_modules/sightline/dist/ingest/sandbox/worker.js"
    esbuild("host=host.js", `worker=${worker}`, "--log-level=error", `--outdir=${made}`)
  })

  it("reads in the thread at `workerUrl`", async () => {
    assert.strictEqual((await upload("chosen", ["card.pdf"], "named"))["card.pdf"], "ready")
  })

  it("fails a document at once if no thread is there, and says so", async () => {
    const { "prices.md": reason } = await upload("chosen", ["prices.md"], "absent")
    assert.match(reason!, /does not start.*`sightline\/worker`/)
  })

  it("reads in the host's own thread if it asks for that", async () => {
    assert.strictEqual((await upload("chosen", ["card.pdf"], "within"))["card.pdf"], "ready")
  })
})
