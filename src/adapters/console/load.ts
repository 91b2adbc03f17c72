import type { ConsoleFiles } from "../../core/ports/ConsoleFiles.ts"

/** Loads the console, which `build/console.ts` packs into one module, so that every runtime and bundler finds it. */
export const loadConsole = async (): Promise<ConsoleFiles | undefined> => {
  try {
    return await unpack((await import("./built/files.js")).packedFiles)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

const unpack = (packed: string): Promise<ConsoleFiles> => {
  const compressed = new Blob([Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))])
  return new Response(compressed.stream().pipeThrough(new DecompressionStream("gzip"))).json()
}

/** Node and Bun have a code, Deno the text alone. */
const isMissing = (cause: unknown) =>
  cause instanceof Error &&
  (("code" in cause && String(cause.code).endsWith("MODULE_NOT_FOUND")) || /not found|cannot find/i.test(cause.message))
