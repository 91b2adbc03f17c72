import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type { Compressor } from "./http/compression.ts"

/** What a host decides of the service as a whole. */
export class Settings extends Context.Service<
  Settings,
  {
    /** The address callers use, for links in replies; undefined: links are relative. */
    readonly publicUrl: string | undefined
    /** Signs links that work without a key. */
    readonly signingSecret: Redacted.Redacted
    /** Browser origins that may call the API; none unless named. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Undefined: replies are compressed with gzip alone, as streams. */
    readonly compressor: Compressor | undefined
  }
>()("sightline/Settings") {}

/** What links begin with: the address callers use, its path included, or nothing. */
export const baseOf = (publicUrl: string | undefined): string => publicUrl?.replace(/\/+$/, "") ?? ""
