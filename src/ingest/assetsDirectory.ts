import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

/** The directory of a compiled binary that holds its asset files; undefined when packages hold them. `build/binary.ts` fills it. */
export const assetsDirectory: string | undefined = /\/(?:\$bunfs|~BUN)\/root\//.test(
  decodeURIComponent(import.meta.url),
)
  ? dirname(fileURLToPath(import.meta.url))
  : undefined
