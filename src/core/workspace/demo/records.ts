import type { ImportRecord } from "../import/records.ts"
import { catalogue } from "./catalogue.ts"
import { deals } from "./deals.ts"
import { Random } from "./random.ts"
import type { Seller } from "./sellers.ts"

/** A seller's workspace as import records: the same for the same seller and the same `until` (Unix ms). */
export function* demoRecords(seller: Seller, until: number): Generator<ImportRecord> {
  const random = new Random(seller.seed)
  yield* catalogue(seller, random)
  yield* deals(seller, random, until)
}
