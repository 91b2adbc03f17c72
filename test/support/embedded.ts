import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TestProject } from "vitest/node"
import { inject } from "vitest"
import { layerPglite } from "../../src/adapters/database/pglite.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly embeddedTemplates: string
  }
}

/** Vitest's global setup: a directory for the run's migrated database. */
export default (project: TestProject) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-templates-"))
  project.provide("embeddedTemplates", directory)
  return () => rmSync(directory, { recursive: true, force: true })
}

/** Creates the run's migrated database once: creating one takes seconds, copying it a tenth of one. */
const template = Effect.gen(function* () {
  const made = join(inject("embeddedTemplates"), "migrated")
  if (existsSync(made)) return made
  const making = mkdtempSync(join(inject("embeddedTemplates"), "making-"))
  yield* Effect.scoped(Layer.build(layerPglite({ directory: join(making, "postgres") })))
  try {
    renameSync(join(making, "postgres"), made)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(made)) throw error
  }
  return made
})

/** An embedded database that is empty and migrated, for one test file. */
export const layerEmbedded = Layer.unwrap(
  Effect.gen(function* () {
    const made = yield* template
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-embedded-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
    )
    cpSync(made, join(directory, "postgres"), { recursive: true })
    return layerPglite({ directory: join(directory, "postgres"), reserve: 0 })
  }),
)
