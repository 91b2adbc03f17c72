import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { median } from "./support/contest.ts"
import { heading, judge, table } from "./support/report.ts"
import { file } from "./support/servers.ts"

const OPEN = `import { open } from "sightline"
import { layerPostgres } from "sightline/postgres"
import * as Redacted from "effect/Redacted"
const sightline = await open({ database: layerPostgres({ url: Redacted.make("postgres://localhost/x") }) })`

/** Ten-line hosts, and what each would cost without Sightline. */
const HOSTS = {
  empty: `export const reply: Promise<Response> = fetch("http://localhost")\n`,
  client: `import { createClient } from "sightline/client"
const client = createClient({ baseUrl: "http://localhost:3000", key: "sl_live_x" })
for (const { name, amount } of await client.deals.list({ columns: ["name", "amount"] })) console.log(name, amount)
const { message } = await client.answers.create({ messages: [{ role: "user", content: "Why do we lose?" }] })
console.log(message.content)\n`,
  effect: `import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Context from "effect/Context"
import type { SqlClient } from "effect/sql/SqlClient"
export type Needed = [Layer.Layer<SqlClient>, Context.Context<SqlClient>]
console.log(Effect.succeed(1))\n`,
  open: `${OPEN}
console.log((await sightline.handler(new Request("http://localhost/api/v1/deals"))).status)\n`,
  services: `${OPEN}
import { Deals, Organizations } from "sightline/services"
const { id } = await sightline.run(Organizations.use((all) => all.create({ name: "Acme", plan: "growth" })))
const { data } = await sightline.run(Deals.use((deals) => deals.rows(id, { columns: ["name", "amount"] })))
for (const { name, amount } of data) console.log(name, amount)\n`,
}
type Host = keyof typeof HOSTS

const OPTIONS = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node"]
const LIB = ["--lib", "es2024,dom,dom.iterable"]
const OLDER = "typescript@5.9.3"

/** Compiles hosts of the built package, with TypeScript 7 and 5.9: `npm run build` first. */
export const main = async (args: ReadonlyArray<string>) => {
  const rounds = args.includes("--quick") ? 1 : 5
  const folder = mkdtempSync(join(tmpdir(), "sightline-types-"))
  try {
    for (const name of ["effect", "@effect/sql-pg", "@types/node", "sightline"]) {
      const link = join(folder, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(name === "sightline" ? file(".") : file(`node_modules/${name}`), link)
    }
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
    for (const [name, source] of Object.entries(HOSTS)) writeFileSync(join(folder, `${name}.ts`), source)
    const other = join(folder, "older")
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", other, OLDER])
    const compilers = {
      "TypeScript 7": file("node_modules/.bin/tsc"),
      "TypeScript 5.9": join(other, "node_modules/.bin/tsc"),
    }
    for (const skip of ["true", "false"])
      for (const [name, compiler] of Object.entries(compilers)) measure(folder, name, compiler, skip, rounds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const measure = (folder: string, name: string, compiler: string, skip: string, rounds: number) => {
  heading(`${name}, skipLibCheck ${skip}`)
  const hosts = Object.keys(HOSTS) as ReadonlyArray<Host>
  const taken = new Map(hosts.map((host) => [host, { files: 0, megabytes: [] as number[], seconds: [] as number[] }]))
  for (let round = 0; round < rounds; round++) {
    for (const host of hosts) {
      const flags = [...OPTIONS, ...LIB, "--skipLibCheck", skip, "--extendedDiagnostics", `${host}.ts`]
      const printed = execFileSync(compiler, flags, { cwd: folder, encoding: "utf8" })
      const figure = (what: string) => Number.parseFloat(new RegExp(`^${what}: +([\\d.]+)`, "m").exec(printed)![1]!)
      const figures = taken.get(host)!
      figures.files = figure("Files")
      figures.megabytes.push(figure("Memory used") / 1000)
      figures.seconds.push(figure("Total time"))
    }
  }
  const megabytes = (host: Host) => median(taken.get(host)!.megabytes)
  table(
    ["host", "files", "MB", "seconds"],
    hosts.map((host) => [
      host,
      String(taken.get(host)!.files),
      megabytes(host).toFixed(0),
      median(taken.get(host)!.seconds).toFixed(2),
    ]),
  )
  console.log()
  judge("memory of a host of the client, of that of an empty one", megabytes("client") / megabytes("empty"), 1.25)
  judge("memory of a host of `open`, of that of one with Effect", megabytes("open") / megabytes("effect"), 1.5)
}
