import * as Layer from "effect/Layer"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"

/** `Organizations` for tests that keep no files. */
export const layerOrganizations = Layer.provide(Organizations.layer, BlobStore.layerMemory)
