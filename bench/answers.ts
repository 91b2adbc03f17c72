import { cpus } from "node:os"
import { parseArgs } from "node:util"
import * as Redacted from "effect/Redacted"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { layerPostgres } from "../src/adapters/database/postgres.ts"
import { startPostgres } from "../test/support/postgres.ts"
import { absence } from "./scenarios/answers/absence.ts"
import { firstEvent } from "./scenarios/answers/firstEvent.ts"
import { quoting } from "./scenarios/answers/quoting.ts"
import { retrieval } from "./scenarios/answers/retrieval.ts"
import { sizes } from "./scenarios/answers/sizes.ts"
import { streams } from "./scenarios/answers/streams.ts"
import { verifier } from "./scenarios/answers/verifier.ts"
import { connect } from "./support/database.ts"
import { summary } from "./support/report.ts"
import { hasRetrievalData } from "./support/retrieval.ts"

const SCENARIOS = ["retrieval", "quoting", "absence", "verifier", "sizes", "streams", "first"]

/** `--quick`: one question of ten, and no large database. `--only retrieval,quoting,absence,verifier,sizes,streams,first`. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, only: { type: "string", default: SCENARIOS.join(",") } },
  })
  const chosen = new Set(values.only.split(","))
  const every = values.quick ? 10 : 1
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}`)
  if (!hasRetrievalData) console.log("no ../shared/data/retrieval here: only streams and first events are measured")
  const server = await startPostgres()
  let made = 0
  const newDatabase = async () => {
    const url = new URL(server.url)
    const admin = await connect(server.url)
    await admin.query(`create database answers_${++made}`)
    await admin.end()
    url.pathname = `/answers_${made}`
    return url.href
  }
  try {
    if (hasRetrievalData) {
      const postgres = layerPostgres({ url: Redacted.make(await newDatabase()), connections: 2 })
      if (chosen.has("retrieval")) await retrieval({ PGlite: layerPglite(), PostgreSQL: postgres }, every)
      if (chosen.has("quoting")) await quoting(postgres, every)
      if (chosen.has("absence")) await absence(postgres, every)
      if (chosen.has("verifier")) await verifier()
      if (chosen.has("sizes")) await sizes(newDatabase, values.quick)
    }
    if (chosen.has("streams")) await streams()
    if (chosen.has("first")) await firstEvent()
    summary()
  } finally {
    await server.stop()
  }
}
