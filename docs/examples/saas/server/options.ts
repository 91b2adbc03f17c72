import process from "node:process"
import type { Options } from "sightline"
import { layerLibrary } from "sightline/library"
import { layerPostgres } from "sightline/postgres"

/** The server and the worker share these: the signing secret makes links of one work in the other. */
export const common = {
  database: layerPostgres({ url: process.env["DATABASE_URL"] ?? "" }),
  library: layerLibrary(),
  signingSecret: process.env["SIGNING_SECRET"],
  plans: { team: { requestsPerMinute: 600, requestsPerKey: 120, requestsPerMonth: null, exportsPerMonth: 100 } },
} satisfies Options<unknown>
