import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { serve } from "../../src/adapters/node.ts"
import { BulkRead } from "../../src/core/ports/BulkRead.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"

/** Sightline without the driver for `COPY`: exports use a cursor of the driver that serves everything else. */
const database = Layer.merge(
  layerPostgres({ url: Redacted.make(process.env["SIGHTLINE_DATABASE_URL"] ?? "") }),
  Layer.succeed(BulkRead, { _tag: "cursor" }),
)
const directory = (process.env["SIGHTLINE_BLOBS"] ?? "").replace(/^file:/, "")
const library = Layer.mergeAll(
  Layer.orDie(layerFiles({ directory })),
  layerGuarded(),
  layerReader,
  Transcriber.layerNone,
)

await Effect.runPromise(
  Effect.scoped(Effect.andThen(serve({ database, library, port: Number(process.env["PORT"]) }), Effect.never)),
)
