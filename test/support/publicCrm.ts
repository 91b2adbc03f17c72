import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { Import, type ImportFile } from "../../src/core/import/Import.ts"
import { parseMapping } from "../../src/core/import/plan/fields/parameters.ts"
import { pieces } from "../catalogue/support.ts"

/** A public data set of accounts, products, agents and 8,800 opportunities. It is not part of this repository. */
export const FOLDER = fileURLToPath(new URL("../../../shared/data/crm/", import.meta.url))
export const present = existsSync(FOLDER)

export const FILES: ReadonlyArray<
  readonly [file: string, ImportFile<never>["type"], mapping: string, ImportFile<never>["dates"], lines: number]
> = [
  ["accounts.csv", "client", "account=name,sector=industry,account_id=crm_one_id", "ISO", 85],
  ["products.csv", "feature", "product=name,series=product", "ISO", 7],
  ["sales_teams.csv", "owner", "sales_agent=name", "ISO", 35],
  [
    "sales_pipeline.csv",
    "deal",
    "opportunity_id=crm_one_id,sales_agent=owner,account=client,deal_stage=status,close_value=amount,engage_date=created_at,product=product_labels,account+product=name",
    "MDY",
    8800,
  ],
]

/** Imports all of it into an organization. Returns one report per file. */
export const importPublicCrm = (org: string) =>
  Effect.forEach(FILES, ([name, type, map, dates]) =>
    Effect.flatMap(Import, (imports) => {
      const bytes = pieces(readFileSync(`${FOLDER}${name}`), 65_536)
      return imports.run(org, { format: "csv", type, map: parseMapping(map), dates, bytes })
    }),
  )
