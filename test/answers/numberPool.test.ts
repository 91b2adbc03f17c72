import { assert, describe, it } from "@effect/vitest"
import { NumberPool } from "../../src/core/answers/agent/NumberPool.ts"
import { valuesOf } from "../../src/core/answers/citations/values.ts"

const has = (pool: NumberPool, text: string) => valuesOf(text).every((value) => pool.has(value))

describe("numbers of results", () => {
  it("are those of fields and texts, in any spelling", () => {
    const pool = new NumberPool()
    pool.add({ found: 2, rows: [{ win_rate: 0.364, note: "EUR 40k until 31 March 2026" }] })
    for (const stated of ["36.4 %", "2", "40,000", "2026-03-31"]) assert.isTrue(has(pool, stated), stated)
    for (const stated of ["37 %", "3", "41k"]) assert.isFalse(has(pool, stated), stated)
  })

  it("are none of the digits of refs and links", () => {
    const pool = new NumberPool()
    pool.add({
      ref: "77zx",
      url: "https://example.com/r/88",
      rows: [{ text: "Orbit: [[99kq.won]] and [[66bb]]", ref: "55" }],
    })
    for (const stated of ["77", "88", "99", "66", "55"]) assert.isFalse(has(pool, stated), stated)
  })
})
