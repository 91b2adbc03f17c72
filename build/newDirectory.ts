import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, closeSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite, layerPgliteOwner } from "../src/adapters/database/pglite.ts"
import { packDirectory } from "../src/adapters/database/prebuilt/format.ts"
import { engineVersion } from "../src/adapters/database/prebuilt/prebuilt.ts"
import { FUNCTIONS_FINGERPRINT, LATEST } from "../src/core/storage/migrate.ts"

/** The text of `prebuilt/packed.ts` with the directory of a database that the sources migrate. */
export const newDirectoryModule = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-new-directory-"))
  try {
    const directory = join(folder, "postgres")
    await Effect.runPromise(Effect.scoped(Layer.build(layerPglite({ directory, reserve: 0 }))))
    return `export const packedDirectory = "${Buffer.from(await pack(directory)).toString("base64")}"\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Packs the directory of a migrated database, which this changes. */
export const pack = async (directory: string): Promise<Uint8Array> => {
  await Effect.runPromise(Effect.provide(beginLog, layerPgliteOwner(directory)))
  shortenLog(directory)
  return packDirectory(directory, { engine: engineVersion()!, schema: LATEST, functions: FUNCTIONS_FINGERPRINT })
}

/** Begins a segment of the write-ahead log, so that the database needs none of those before. */
const beginLog = Effect.flatMap(SqlClient, (sql) => Effect.andThen(sql`select pg_switch_wal()::text`, sql`checkpoint`))

const SEGMENT_BYTES = 16 * 1024 * 1024
const PAGE_BYTES = 8192
/** https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_control.h */
const STATE_AT = 16
const CHECKPOINT_AT = 32
const SHUT_DOWN = 1

/** Leaves the segment with the last checkpoint, and clears what an earlier use left behind it. */
const shortenLog = (directory: string) => {
  const control = readFileSync(join(directory, "global/pg_control"))
  if (control.readInt32LE(STATE_AT) !== SHUT_DOWN) throw new Error("the database that was made has not shut down")
  const checkpoint = control.readBigUInt64LE(CHECKPOINT_AT)
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0")
  const name = `00000001${hex(checkpoint >> 32n)}${hex((checkpoint & 0xffffffffn) / BigInt(SEGMENT_BYTES))}`
  const log = join(directory, "pg_wal")
  for (const file of readdirSync(log).filter((file) => /^[0-9A-F]{24}$/.test(file) && file !== name))
    rmSync(join(log, file))
  // The record of a checkpoint takes less than a page, and may begin at the end of one.
  const end = (Math.floor(Number(checkpoint % BigInt(SEGMENT_BYTES)) / PAGE_BYTES) + 2) * PAGE_BYTES
  const segment = openSync(join(log, name), "r+")
  writeSync(segment, Buffer.alloc(SEGMENT_BYTES - end), 0, SEGMENT_BYTES - end, end)
  closeSync(segment)
}
