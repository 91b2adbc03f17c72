import type { ImportRecord } from "../../../core/records/record.ts"
import { makeCatalogue } from "./catalogue.ts"
import { deals } from "./deals.ts"
import { Random } from "./random.ts"
import type { Seller } from "./sellers.ts"

/** A seller's workspace as import records. Deterministic for a seller and `until` (Unix ms). */
export function* demoRecords(seller: Seller, until: number): Generator<ImportRecord> {
  const random = new Random(seller.seed)
  yield* makeCatalogue(seller, random)
  yield* deals(seller, random, until)
}
