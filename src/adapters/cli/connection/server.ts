import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { serving } from "../../serving/serving.ts"
import { readDemo } from "./demoKey.ts"
import { addressOfHolder } from "./runningServer.ts"
import { Usage } from "./workspace.ts"

export interface ServerChoice {
  readonly organization: Option.Option<string>
  readonly url: Option.Option<string>
}

/** The given server, else the one that holds the data directory, else the one at HOST:PORT. */
export const addressOf = (settings: Configuration, url: Option.Option<string>) =>
  Option.isSome(url)
    ? Effect.succeed(url.value)
    : Effect.map(
        addressOfHolder(settings),
        (held) => held ?? serving(settings.host, settings.port, settings.basePath).url,
      )

/**
 * Chooses a command's target: a running server, with SIGHTLINE_API_KEY or the demo's key; with an organization,
 * the database itself.
 */
export const chooseServer = Effect.fnUntraced(function* ({ organization, url }: ServerChoice) {
  if (Option.isSome(organization)) {
    if (Option.isNone(url)) return { organization: organization.value }
    return yield* new Usage({ message: "use either --url or --org: with --url, the key determines the organization" })
  }
  const settings = yield* configuration
  const address = (yield* addressOf(settings, url)).replace(/\/+$/, "").replace(/\/api\/v1$/, "")
  if (Option.isNone(url) && !(yield* isSightline(address))) {
    return yield* new Usage({
      message: `no server replies at ${address}: start one, set --url, or set --org to work without a server`,
    })
  }
  const kept = (yield* readDemo(settings))?.key
  const key = settings.apiKey ?? (kept === undefined ? undefined : Redacted.make(kept))
  if (key === undefined) return yield* new Usage({ message: "set SIGHTLINE_API_KEY to a key of the workspace" })
  return { address, key: Redacted.value(key) }
})

/** Whether a Sightline server answers there. */
export const isSightline = (url: string) =>
  Effect.promise(async () => {
    try {
      const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(2_000) })
      return ((await response.json()) as { readonly status?: unknown }).status === "live"
    } catch {
      return false
    }
  })
