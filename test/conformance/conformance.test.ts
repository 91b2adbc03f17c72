import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CHECKS } from "./checks/all.ts"
import { Client } from "./Client.ts"
import { importDataset, type Imported } from "./dataset.ts"
import { undescribed } from "./described.ts"
import { dropTemplate, MATRIX, prepare, type Prepared, type RunningServer, startServer } from "./servers.ts"

interface Row {
  readonly runtime: string
  readonly database: string
  passed: number
  failed: number
  seconds: number
}

const rows: Array<Row> = []

describe.each(MATRIX)("%s on %s", (runtime, database) => {
  const row: Row = { runtime, database, passed: 0, failed: 0, seconds: 0 }
  let began = 0
  let prepared: Prepared
  let server: RunningServer
  let clients: ReadonlyArray<readonly [Client, Imported]>

  beforeAll(async () => {
    began = performance.now()
    rows.push(row)
    prepared = await prepare(database)
    server = await startServer(runtime, prepared.environment)
    const { key, twin, ...keys } = prepared.keys
    const begin = async (key: string) => {
      const api = new Client({ ...keys, key, baseUrl: `${server.url}/api/v1` })
      return [api, await importDataset(api)] as const
    }
    clients = [await begin(key), await begin(twin)]
  })

  afterAll(async () => {
    await server?.stop()
    prepared?.drop()
    row.seconds = Math.round((performance.now() - began) / 100) / 10
  })

  const counted = (name: string, run: () => Promise<void>) =>
    it(name, async () => {
      try {
        await run()
        row.passed++
      } catch (error) {
        row.failed++
        throw error
      }
    })

  for (const [index, { name, run }] of CHECKS.entries()) counted(name, () => run(...clients[index % 2]!))

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
  const line = (cells: ReadonlyArray<unknown>) =>
    cells.map((cell, index) => String(cell).padEnd([10, 12, 8, 8, 8][index] ?? 0)).join("")
  console.log(
    [
      line(["runtime", "database", "passed", "failed", "seconds"]),
      ...rows.map(({ runtime, database, passed, failed, seconds }) =>
        line([runtime, database, passed, failed, seconds]),
      ),
    ].join("\n"),
  )
})
