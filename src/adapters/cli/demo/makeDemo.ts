import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import, type ImportCounts } from "../../../core/import/Import.ts"
import { Organizations } from "../../../core/catalogue/Organizations.ts"
import { demoRecords } from "./records.ts"
import { SELLERS } from "./sellers.ts"

/**
 * Creates the demo organizations and imports their records, dated up to `until` (Unix ms). Running it again completes an
 * interrupted run and resets changed records.
 */
export const makeDemo = Effect.fn("makeDemo")(function* (options: {
  readonly until: number
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
}) {
  const organizations = yield* Organizations
  const imports = yield* Import
  return yield* Effect.forEach(SELLERS, (seller) =>
    Effect.gen(function* () {
      const { id, name, plan } = seller
      if ((yield* organizations.find(id)) === undefined) yield* organizations.create({ id, name, plan })
      yield* organizations.change(id, seller.settings)
      const records = Stream.fromIterable(demoRecords(seller, options.until))
      const report = yield* imports.records(id, records, { onProgress: options.onProgress })
      return { organizationId: id, name, report }
    }),
  )
})
