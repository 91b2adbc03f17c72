import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { layerTables } from "../../../src/adapters/reading/layerTables.ts"
import { readFile } from "../../import/table/support.ts"
import { TEXTS } from "./encodings.ts"
import { sheetOf, xlsx } from "./office.ts"

// Prints what a runtime reads of files of records: texts in every encoding, named and guessed, and a compressed workbook, in a thread.

/** Latin, Cyrillic and Asian letters whose bytes runtimes could read differently: the sign of the euro, dashes, half-width kana. */
const NAMED: ReadonlyArray<readonly [label: string, bytes: ReadonlyArray<number>]> = [
  ["windows-1252", [0x80, 0x81, 0x96, 0xfc]],
  ["windows-1250", [0x8a, 0xb3, 0x80]],
  ["windows-1251", [0x98, 0xd1, 0xff]],
  ["macintosh", [0x9f, 0xdb, 0xf0]],
  ["iso-8859-2", [0x80, 0xb1]],
  ["iso-8859-15", [0xa4, 0xbd]],
  ["shift_jis", [0x8a, 0x94, 0xb1, 0x81, 0x60, 0x87, 0x40]],
  ["euc-jp", [0xa1, 0xc1, 0xad, 0xa1, 0x8e, 0xb1]],
  ["gb18030", [0xc4, 0xe3, 0x80, 0x81, 0x30, 0x81, 0x30]],
  ["big5", [0xa4, 0xa4, 0xf9, 0xd6]],
  ["euc-kr", [0xb0, 0xa1]],
]

const line = [0x6e, 0x61, 0x6d, 0x65, 0x0a]
const sheet = sheetOf('<row r="1"><c t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c><v>7</v></c></row>')

const read = Effect.gen(function* () {
  const named = yield* Effect.forEach(NAMED, ([encoding, bytes]) =>
    Effect.map(readFile(Uint8Array.from([...line, ...bytes]), { encoding, size: 1 }), ({ facts, rows }) => [
      facts,
      rows,
    ]),
  )
  const texts = TEXTS.flatMap(({ encoded }) => Object.values(encoded))
  const guessed = yield* Effect.forEach(texts, (text) =>
    Effect.match(readFile(new Uint8Array(Buffer.from(text, "base64"))), {
      onFailure: ({ message }) => message,
      onSuccess: ({ facts, rows }) => JSON.stringify([facts, rows]),
    }),
  )
  const { facts, rows } = yield* readFile(gzipSync(xlsx([{ name: "S", xml: sheet }])))
  return { named, guessed, workbook: [facts, rows] }
})

console.log(JSON.stringify(await Effect.runPromise(Effect.provide(read, layerTables()))))
process.exit(0)
