import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CHECKS, FIRST_CHECKS } from "./checks/all.ts"
import { Client } from "./Client.ts"
import { importDataset, type Imported } from "./dataset.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer } from "../support/pgbouncer.ts"
import { undescribed } from "./described.ts"
import { CELLS, renderMatrix, type Result, WITHOUT_DOCUMENTS } from "./matrix.ts"
import { dropTemplate, prepare, type Prepared } from "./prepare.ts"
import { dropBuilds, type RunningServer, startServer } from "./servers.ts"

const results: Array<Result> = []

const cells = CELLS.filter(({ engine }) => engine !== "PgBouncer" || hasPgBouncer)

describe("the cells behind PgBouncer", needs("pgbouncer", hasPgBouncer), () => {
  it("run with the others", () => expect(cells).toEqual(CELLS))
})

describe.each(cells)("$runtime on $engine", (cell) => {
  const readsDocuments = !WITHOUT_DOCUMENTS.has(cell.runtime)
  const result: Result = { ...cell, passed: 0, failed: 0, seconds: 0 }
  let began = 0
  let prepared: Prepared
  let server: RunningServer
  let clients: ReadonlyArray<readonly [Client, Imported]>

  beforeAll(async () => {
    began = performance.now()
    results.push(result)
    prepared = await prepare(cell.engine)
    server = await startServer(cell.runtime, prepared.environment)
    const { key, twin, ...keys } = prepared.keys
    const begin = async (key: string) => {
      const api = new Client({ ...keys, key, readsDocuments, baseUrl: `${server.url}/api/v1` })
      return [api, await importDataset(api)] as const
    }
    clients = [await begin(key), await begin(twin)]
  })

  afterAll(async () => {
    await server?.stop()
    await prepared?.drop()
    result.seconds = Math.round((performance.now() - began) / 1000)
  })

  const counted = (name: string, run: () => Promise<void>) =>
    it(name, async () => {
      try {
        await run()
        result.passed++
      } catch (error) {
        result.failed++
        throw error
      }
    })

  const checks = (cell.extent === "all" ? CHECKS : FIRST_CHECKS).filter(
    ({ needs }) => !needs.includes(readsDocuments ? "no documents" : "documents"),
  )
  for (const [index, { name, run }] of checks.entries()) counted(name, () => run(...clients[index % 2]!))

  counted("/openapi.json, every answer had a status that it lists for the path", async () => {
    const [[api], [other]] = clients as [(typeof clients)[0], (typeof clients)[0]]
    const description = await api.get(`${api.origin}/openapi.json`, {}, { key: null })
    expect(undescribed(description, [...api.seen, ...other.seen])).toEqual([])
  })

  counted("nothing was a fault of the server's own", async () => {
    expect(clients.flatMap(([api]) => api.seen.filter(({ status }) => status >= 500))).toEqual([])
    expect(server.log()).not.toContain("request failed")
  })
})

afterAll(async () => {
  await dropTemplate()
  await dropBuilds()
  console.log(renderMatrix(results))
})
