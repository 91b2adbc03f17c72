import { spawnSync } from "node:child_process"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ALL } from "../support/extent.ts"
import { engines } from "../support/engines.ts"
import { FOLDER, importPublicCrm, present } from "../support/publicCrm.ts"
import { layerWeb, Web } from "../support/web.ts"
import { runExport } from "./support.ts"
import { needs } from "../support/needs.ts"

const python = spawnSync("python3", ["-c", "import csv"]).status === 0
if (!python) console.warn("there is no python3 here: its csv module is not tried")

/** Reads the export and the imported file, and compares every opportunity by their common columns. */
const SCRIPT = `
import csv, io, sys
rows = list(csv.DictReader(io.TextIOWrapper(sys.stdin.buffer, "utf-8", newline=""), strict=True))
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    source = {row["opportunity_id"]: row for row in csv.DictReader(file)}
assert len(rows) == len(source) == 8800, (len(rows), len(source))
for row in rows:
    given = source.pop(row["crm_one_id"])
    assert None not in row and None not in row.values(), row
    assert row["owner_name"] == given["sales_agent"], (row, given)
    assert row["deal_status"] == given["deal_stage"], (row, given)
    assert row["client_name"] == given["account"], (row, given)
    assert row["product_labels"] == '["%s"]' % given["product"], (row, given)
    assert (float(row["amount"]) if row["amount"] else None) == (float(given["close_value"]) if given["close_value"] else None), (row, given)
assert source == {}
print("the same")
`

for (const engine of ALL ? engines : engines.slice(0, 1)) {
  const lacking = { ...needs("python3", python), ...needs("shared/data/crm", present) }
  describe(`the public CRM set on ${engine.name}`, lacking, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("reads back unchanged in Python's csv module", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          yield* importPublicCrm(org)
          const { text, status } = yield* runExport(key, { columns: ["*"] })
          assert.strictEqual(status.row_count, 8800)
          const read = spawnSync("python3", ["-c", SCRIPT, `${FOLDER}sales_pipeline.csv`], { input: text })
          assert.strictEqual(read.stdout.toString().trim(), "the same", read.stderr.toString().slice(0, 2000))
        }),
      )
    })
  })
}
