import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type { Compressor } from "./compression.ts"

/** What a host decides of the service as a whole. */
export class Settings extends Context.Service<
  Settings,
  {
    /** The address callers use, for links in replies; undefined: see `BaseUrl`. */
    readonly publicUrl: string | undefined
    /** Signs links and cursors and seals webhook secrets; undefined: this process makes one, which ends with it. */
    readonly signingSecret: Redacted.Redacted | undefined
    /** The signing secret before the last rotation: what it signed and sealed still opens. */
    readonly previousSigningSecret: Redacted.Redacted | undefined
    /** How long links to documents work. */
    readonly linkDays: number
    /** Browser origins that may call the API; none unless named. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Proxies in front whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: number
    /** Undefined: replies are compressed with gzip alone, as streams. */
    readonly compressor: Compressor | undefined
  }
>()("sightline/Settings") {}

/** A link in an answer that is mailed on Friday still opens on Monday. */
export const DEFAULT_LINK_DAYS = 7
