import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { BlobStore } from "../../../src/core/ports/BlobStore.ts"
import { openTable, type TableSource } from "../../../src/core/import/table/openTable.ts"
import { spoolIn } from "../../../src/core/import/table/spool.ts"
import { isTable, type ReadRecord, type TableRow, type TableFacts } from "../../../src/core/import/table/Table.ts"
import { pieces } from "../../catalogue/support.ts"

export const utf8 = (text: string) => new TextEncoder().encode(text)

export interface Read {
  readonly facts: TableFacts
  readonly rows: ReadonlyArray<TableRow>
  readonly records: ReadonlyArray<ReadRecord>
}

/** Opens a file and reads all of it, in pieces of `size` bytes. */
export const readFile = (
  file: Uint8Array | string,
  { size = 1_000, ...options }: Partial<TableSource<never>> & { readonly size?: number } = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const bytes = pieces(typeof file === "string" ? utf8(file) : file, size)
      const opened = yield* openTable({ bytes, spool: (each) => spoolIn("org", blobs, each), ...options })
      // They change while the file is read.
      const { encoding, encodingBy, delimiter, statedDelimiter } = opened.facts
      const facts: TableFacts = { ...opened.facts, encoding, encodingBy, delimiter, statedDelimiter }
      return isTable(opened)
        ? { facts, rows: (yield* Stream.runCollect(opened.rows)).flat(), records: [] }
        : { facts, rows: [], records: (yield* Stream.runCollect(opened.records)).flat() }
    }),
  ).pipe(
    Effect.map((read): Read => read),
    Effect.provide(BlobStore.layerMemory),
  )

/** The message of a file that is refused. */
export const refusalOf = (file: Uint8Array | string, options: Parameters<typeof readFile>[1] = {}) =>
  Effect.map(Effect.flip(readFile(file, options)), ({ _tag, message }) => `${_tag}: ${message}`)

export const cellsOf = ({ rows }: Read) => rows.map(({ cells }) => cells)
