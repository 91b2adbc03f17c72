import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type { Compressor } from "./replies/compression.ts"

/** The settings of the whole service, as the host configures them. */
export class Settings extends Context.Service<
  Settings,
  {
    /** The address that callers use, for links in replies. If undefined, see `BaseUrl`. */
    readonly publicUrl: string | undefined
    /** The path in front of every route, without a slash at its end; empty if there is none. */
    readonly basePath: string
    /** Signs links and cursors and seals webhook secrets. If undefined, the process generates one that is lost when it ends. */
    readonly signingSecret: Redacted.Redacted | undefined
    /** The signing secret before the last rotation. It still opens what it signed and sealed. */
    readonly previousSigningSecret: Redacted.Redacted | undefined
    /** Days after which links to documents expire. */
    readonly linkDays: number
    /** Browser origins that may call the API. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Whether `/docs` exists. */
    readonly docs: boolean
    /** The number of proxies in front whose `X-Forwarded-For` is trusted. */
    readonly trustedProxies: number
    /** If undefined, replies are compressed with gzip only, as streams. */
    readonly compressor: Compressor | undefined
  }
>()("sightline/Settings") {}

/** Long enough for a link that is mailed on Friday to open on Monday. */
export const DEFAULT_LINK_DAYS = 7
