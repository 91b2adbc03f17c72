import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { startRelay } from "../../http/relay.ts"
import { bin, execute, pack, project, readHost, textOf } from "../../package/packed.ts"
import { freshPostgresUrl } from "../../support/engines.ts"
import { until } from "../../support/until.ts"
import { startCollector } from "../collector.ts"

const PROGRAM = "telemetry.ts"
const { source, packages } = readHost(`../${PROGRAM}`)
const OWN = JSON.parse(textOf("test/telemetry/host/package.json")).dependencies as Record<string, string>

/** A package of an install line, without its version. */
const nameOf = (text: string) => text.replace(/(?<=.)@[\d.]+$/, "")

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
const host = project()

beforeAll(async () => {
  for (const name of ["package.json", "package-lock.json"]) host.write(name, textOf(`test/telemetry/host/${name}`))
  await host.install(
    await pack(packed),
    packages.map(nameOf).filter((name) => !(name in OWN)),
  )
  host.write(PROGRAM, source)
})
afterAll(() => {
  host.remove()
  rmSync(packed, { recursive: true, force: true })
})

interface Line {
  readonly level: number
  readonly msg: string
  readonly trace_id?: string
  readonly status?: number
  readonly request_id?: string
}

/** Runs the program on a database that is down until pino has the line of an attempt to open it. */
const run = async () => {
  const collector = await startCollector()
  const url = new URL(await Effect.runPromise(Effect.scoped(freshPostgresUrl)))
  const relay = await startRelay(Number(url.port))
  await relay.cut()
  url.port = String(relay.port)
  const child = spawn(bin("node"), [PROGRAM], {
    cwd: host.directory,
    env: { ...process.env, DATABASE_URL: url.href, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  let [printed, errors] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
  try {
    await until("the host answers without a database", () => printed.includes('"answered"') || child.exitCode !== null)
    await relay.mend()
    await until("the program ends", () => child.exitCode !== null)
    assert.strictEqual(child.exitCode, 0, printed + errors)
    assert.strictEqual(errors, "")
    const lines = printed.trim().split("\n")
    return { lines: lines.map((line) => JSON.parse(line) as Line), spans: collector.spans }
  } finally {
    child.kill()
    await relay.cut()
    collector.close()
  }
}

describe("the program of a host with pino and OpenTelemetry", () => {
  let ran: Awaited<ReturnType<typeof run>>
  beforeAll(async () => {
    ran = await run()
  })

  it("has no package beyond its install line, and compiles", async () => {
    assert.sameMembers(
      packages.map(nameOf).filter((name) => name in OWN),
      Object.keys(OWN),
    )
    const types = ["--typeRoots", join(bin(".."), "@types"), "--types", "node"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable,dom.asynciterable"]
    const flags = ["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--noEmit"]
    await execute(bin("tsc"), [...flags, ...target, ...types, PROGRAM], host.directory)
  })

  it("exports each request's span as a child of the host's span", () => {
    const outer = ran.spans.filter(({ name }) => name === "app request")
    const inner = ran.spans.filter(({ name }) => name === "GET /health/ready")
    assert.lengthOf(outer, 2)
    assert.deepStrictEqual(
      inner.map(({ parentSpanId, traceId }) => [parentSpanId, traceId]),
      outer.map(({ spanId, traceId }) => [spanId, traceId]),
    )
  })

  it("exports the migration as one span", () => {
    const [migration, ...others] = ran.spans.filter(({ name }) => name === "migrate")
    assert.deepStrictEqual(others, [])
    assert.includeMembers(
      migration!.attributes.map(({ key }) => key),
      ["from", "to"],
    )
    assert.isEmpty(ran.spans.filter(({ parentSpanId }) => parentSpanId === migration!.spanId))
  })

  it("logs by pino what the opening says, and each request with its trace", () => {
    assert.isDefined(
      ran.lines.find(({ msg, level }) => msg.startsWith("the service is not open yet: ") && level === 40),
    )
    const traces = ran.spans.filter(({ name }) => name === "app request").map(({ traceId }) => traceId)
    for (const message of ["replied", "answered"]) {
      const said = ran.lines.filter(({ msg }) => msg === message)
      assert.deepStrictEqual(
        said.map(({ trace_id, status }) => [trace_id, status]),
        [
          [traces[0], 503],
          [traces[1], 200],
        ],
      )
    }
    for (const { request_id } of ran.lines.filter(({ msg }) => msg === "replied")) assert.isString(request_id)
  })
})
