import { readFileSync } from "node:fs"

/** Texts that Python's codecs wrote, in base64, by encoding. */
export const TEXTS: ReadonlyArray<{
  readonly language: string
  readonly text: string
  readonly encoded: Readonly<Record<string, string>>
}> = JSON.parse(readFileSync(new URL("encodings.json", import.meta.url), "utf8"))
