import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of a compiled binary that holds what is no code of ours; undefined where there are packages to hold it. `src/adapters/binary/build.ts` fills it. */
export const carried: string | undefined = /\/(?:\$bunfs|~BUN)\/root\//.test(decodeURIComponent(import.meta.url))
  ? dirname(fileURLToPath(import.meta.url))
  : undefined
