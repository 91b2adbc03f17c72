import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerTables } from "../../../../src/adapters/reading/layerTables.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { readFile, refusalOf } from "../../../import/table/support.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"
import { needs } from "../../../support/needs.ts"
import { codeOf } from "../../support/codeOf.ts"
import { openedByExcel } from "../../support/corpus.ts"
import { encryptAgile, encryptStandard } from "../../support/encrypt.ts"
import { sheetOf, xlsx } from "../../support/office.ts"

const password = "VelvetSweatshop"
const cells = (row: number, ...texts: ReadonlyArray<string>) =>
  `<row r="${row}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`
/** Longer than a segment of the cipher, and of random text, which does not compress. */
const { next } = makeRandom(1)
const noise = Array.from({ length: 400 }, (_, at) => cells(at + 3, `${next()} ${next()}`)).join("")
const WORKBOOK = xlsx([{ name: "Deals", xml: sheetOf(cells(1, "Name", "Stage") + cells(2, "Aldgate", "Won") + noise) }])

const ENCRYPTED: Readonly<Record<string, Uint8Array>> = {
  "since 2010": encryptAgile(WORKBOOK, { password, spins: 100_000 }),
  "of 2010, by SHA-1 and 128 bits": encryptAgile(WORKBOOK, { password, digest: "SHA1", keyBits: 128 }),
  "by SHA-384": encryptAgile(WORKBOOK, { password, digest: "SHA384" }),
  "of 2007": encryptStandard(WORKBOOK, { password }),
  "of 2007, by 256 bits": encryptStandard(WORKBOOK, { password, keyBits: 256 }),
}

const PROTECTED = /protected by a password\. Save it without one/

describe("a workbook that Excel opens without asking for its password", () => {
  it.each(Object.keys(ENCRYPTED))("is read as the workbook inside, encrypted as Excel does %s", async (by) => {
    const file = ENCRYPTED[by]!
    assert.deepStrictEqual(await readXlsx(file), await readXlsx(WORKBOOK))
  })

  it.effect("is imported", () =>
    Effect.gen(function* () {
      const { facts, rows } = yield* readFile(ENCRYPTED["since 2010"]!)
      assert.deepStrictEqual([facts.container, facts.sheet, rows[1]?.cells], ["xlsx", "Deals", ["Aldgate", "Won"]])
    }).pipe(Effect.provide(layerTables({ inThread: true }))),
  )
})

describe("an encrypted workbook", () => {
  it.effect("of another password is refused, also by an import", () =>
    Effect.gen(function* () {
      for (const encrypt of [encryptAgile, encryptStandard]) {
        const file = encrypt(WORKBOOK, { password: "secret" })
        const { code, reason } = yield* Effect.promise(() => codeOf(readXlsx(file)))
        assert.strictEqual(code, "encrypted")
        assert.match(reason, PROTECTED)
        assert.match(yield* refusalOf(file), PROTECTED)
      }
    }).pipe(Effect.provide(layerTables({ inThread: true }))),
  )

  it("with more rounds of its hash than a reader has time for is refused", async () => {
    const file = encryptAgile(WORKBOOK, { password, digest: "SHA1", spins: 1_000_001 })
    assert.strictEqual((await codeOf(readXlsx(file))).code, "encrypted")
  })

  it("that is damaged anywhere is refused or read, and fails in no other way", async () => {
    const { below } = makeRandom(seedOfRun("damaged encryption"))
    const small = xlsx([{ name: "A", xml: sheetOf(cells(1, "One")) }])
    for (const file of [
      encryptAgile(small, { password, spins: 10 }),
      encryptAgile(WORKBOOK, { password, spins: 10 }),
    ]) {
      for (let round = 0; round < 60; round++) {
        const damaged = file.slice()
        for (let at = 0; at < 4; at++) damaged[below(damaged.length)] = below(256)
        await readXlsx(damaged).catch((cause: { readonly code?: unknown }) => assert.isString(cause.code))
      }
    }
  })
  it(
    "opens the protected workbook of the corpus",
    needs("shared/data/documents", openedByExcel !== undefined),
    async () => assert.isNotEmpty((await readXlsx(openedByExcel!.bytes())).elements),
  )
})
