import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "@effect/vitest"
import { blocksOf } from "../support/terminal.ts"
import { until } from "../support/until.ts"

const ROOT = join(import.meta.dirname, "../..")
const bin = (name: string) => join(ROOT, "node_modules/.bin", name)
const source = (path: string) => JSON.stringify(join(ROOT, "src", path))
const directory = mkdtempSync(join(tmpdir(), "sightline-stopping-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The steps of docs/embedding.md at a signal, for a server that is closed by another method. */
const recipe = (close: string) =>
  blocksOf("docs/embedding.md", "ts")
    .find((block) => block.includes("SIGTERM") && block.includes("server.close()"))!
    .replace("server.close()", close)

const HOSTS = {
  Node: {
    command: ["node"],
    serve: `const server = createServer(getRequestListener(sightline.handler)).listen(0, "127.0.0.1")
await once(server, "listening")
const { port } = server.address()`,
    imports: `import { createServer } from "node:http"
import { once } from "node:events"
import { getRequestListener } from "${import.meta.resolve("@hono/node-server")}"`,
    close: "server.close()",
  },
  Bun: {
    command: ["bun"],
    serve:
      "const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: sightline.handler })\nconst { port } = server",
    imports: "",
    close: "server.stop()",
  },
  Deno: {
    command: ["deno", "run", "-A", "--quiet", "--config", join(ROOT, "deno.json")],
    serve: `const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, sightline.handler)
const { port } = server.addr`,
    imports: 'import process from "node:process"',
    close: "server.shutdown()",
  },
}

const hostOf = ({ serve, imports, close }: (typeof HOSTS)["Node"]) => `${imports}
import { open, Organizations } from ${source("core/Sightline.ts")}
import { layerPglite } from ${source("adapters/database/pglite.ts")}
const sightline = await open({
  database: layerPglite(),
  principal: () => ({ organization: "org_host", role: "owner", identity: { id: "ada", name: "Ada" } }),
})
await sightline.ready({ seconds: 600 })
await sightline.run(Organizations.use(({ create }) => create({ id: "org_host", name: "Host", plan: "growth" })))
${serve}
${recipe(close)}
console.log(\`port \${port}.\`)
`

it.each(Object.entries(HOSTS))("a host on %s finishes an import at SIGTERM, and ends", async (name, host) => {
  const path = join(directory, `${name}.mjs`)
  writeFileSync(path, hostOf(host))
  const [program = "", ...args] = host.command
  const child = spawn(bin(program), [...args, path], { cwd: ROOT })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
  try {
    const url = await until("it listens", () => {
      if (child.exitCode !== null) throw new Error(printed)
      const port = /port (\d+)\./.exec(printed)?.[1]
      return port && `http://127.0.0.1:${port}/api/v1`
    })
    const line = `${JSON.stringify({ type: "competitor", name: "Orvanta" })}\n`
    const gate = Promise.withResolvers<void>()
    const body = new ReadableStream({
      start: async (controller) => {
        controller.enqueue(new TextEncoder().encode(line))
        await gate.promise
        controller.enqueue(new TextEncoder().encode(line))
        controller.close()
      },
    })
    const importing = fetch(`${url}/import`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body,
      duplex: "half",
    } as RequestInit)
    // It reads the import's head, for later requests of the same identity count it.
    await until("the import runs", async () => {
      const reply = await fetch(`${url}/usage`)
      const { identities } = (await reply.json()) as { identities: ReadonlyArray<{ requests_this_month: number }> }
      return identities[0]!.requests_this_month > 1
    })
    child.kill("SIGTERM")
    await until("it refuses", async () => {
      const reply = await fetch(`${url}/usage`).catch(() => undefined)
      return reply === undefined || reply.status === 503
    })
    gate.resolve()
    const reply = await importing
    assert.deepInclude(await reply.json(), { received: 2, failed: 0 })
    await until("it ends", () => child.exitCode !== null || child.signalCode !== null)
    assert.strictEqual(child.exitCode, 0, printed)
  } finally {
    child.kill("SIGKILL")
  }
})
