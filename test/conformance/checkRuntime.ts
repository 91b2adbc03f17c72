import { afterAll, beforeAll, describe, expect, it, type TestOptions } from "vitest"
import { needs } from "../support/needs.ts"
import { CHECKS, FIRST_CHECKS } from "./checks/all.ts"
import { Client } from "./Client.ts"
import { importDataset, type Imported } from "./dataset.ts"
import { undescribed } from "./described.ts"
import { cellsOf, type Engine, type Extent, REQUIREMENTS, type Runtime, WITHOUT_DOCUMENTS } from "./matrix.ts"
import { prepare, type Prepared } from "./prepare.ts"
import { dropBuilds, type RunningServer, startServer } from "./servers.ts"

/** Defines the checks of a runtime on every engine. Each runtime has a file, so that two are checked at a time. */
export const checkRuntime = (runtime: Runtime) => {
  for (const { engine, extent } of cellsOf(runtime)) {
    const requirement = REQUIREMENTS[engine]
    const { meta, ...options }: TestOptions = requirement === undefined ? {} : needs(...requirement)
    describe(`${runtime} on ${engine}`, { ...options, meta: { ...meta, cell: { runtime, engine } } }, () =>
      checkCell(runtime, engine, extent),
    )
  }

  afterAll(dropBuilds)
}

const checkCell = (runtime: Runtime, engine: Engine, extent: Extent) => {
  const readsDocuments = !WITHOUT_DOCUMENTS.has(runtime)
  let prepared: Prepared
  let server: RunningServer
  let clients: ReadonlyArray<readonly [Client, Imported]>

  beforeAll(async () => {
    prepared = await prepare(engine)
    server = await startServer(runtime, prepared.environment)
    const { twins, ...keys } = prepared.keys
    const targets = extent === "all" ? [keys, ...twins.map((twin) => ({ ...keys, ...twin }))] : [keys]
    clients = await Promise.all(
      targets.map(async (target) => {
        const api = new Client({ ...target, readsDocuments, baseUrl: `${server.url}/api/v1` })
        return [api, await importDataset(api)] as const
      }),
    )
  })

  afterAll(async () => {
    await server?.stop()
    await prepared?.drop()
  })

  const checks = (extent === "all" ? CHECKS : FIRST_CHECKS).filter(
    ({ needs }) => !needs.includes(readsDocuments ? "no documents" : "documents"),
  )
  for (const [index, { name, run }] of checks.entries()) it(name, () => run(...clients[index % clients.length]!))

  it("/openapi.json, every answer had a status that it lists for the path", async () => {
    const [[api]] = clients as [(typeof clients)[0]]
    const description = await api.get(`${api.origin}/openapi.json`, {}, { key: null })
    const seen = clients.flatMap(([{ seen }]) => seen)
    expect(undescribed(description, seen)).toEqual([])
  })

  it("nothing was a fault of the server's own", async () => {
    expect(clients.flatMap(([api]) => api.seen.filter(({ status }) => status >= 500))).toEqual([])
    expect(server.log()).not.toContain("request failed")
  })
}
