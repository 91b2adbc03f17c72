import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { createClient } from "../../client/client.ts"
import { serving } from "../../serving/address.ts"
import { makeCalls } from "./client.ts"
import { readDemo } from "./demoKey.ts"
import { reachOperator } from "./operator.ts"
import { addressOfHolder } from "./runningServer.ts"
import { Usage } from "./workspace.ts"

export interface ServerChoice {
  readonly organization: Option.Option<string>
  readonly url: Option.Option<string>
}

/** The given server, else the one that holds the data directory, else the one at HOST:PORT. */
export const findAddress = (settings: Configuration, url: Option.Option<string>) =>
  Option.isSome(url)
    ? Effect.succeed(url.value)
    : Effect.map(
        addressOfHolder(settings),
        (held) => held ?? serving(settings.host, settings.port, settings.basePath).url,
      )

/**
 * Connects to the API: of a running server, with SIGHTLINE_API_KEY or the demo's key; with an organization, as the operator. `address`
 * is the start of links without a host.
 */
export const connect = Effect.fnUntraced(function* ({ organization, url }: ServerChoice) {
  if (Option.isSome(organization)) {
    if (Option.isSome(url)) {
      return yield* new Usage({ message: "use either --url or --org: with --url, the key determines the organization" })
    }
    const { within, address } = yield* reachOperator
    return { ...within(organization.value), address }
  }
  const settings = yield* configuration
  const address = (yield* findAddress(settings, url)).replace(/\/+$/, "").replace(/\/api\/v1$/, "")
  if (Option.isNone(url) && !(yield* isSightline(address))) {
    return yield* new Usage({
      message: `no server replies at ${address}: start one, set --url, or set --org to work without a server`,
    })
  }
  const kept = (yield* readDemo(settings))?.key
  const key = settings.apiKey ?? (kept === undefined ? undefined : Redacted.make(kept))
  if (key === undefined) return yield* new Usage({ message: "set SIGHTLINE_API_KEY to a key of the workspace" })
  const client = createClient({ baseUrl: address, key: Redacted.value(key) })
  const calls = makeCalls(client, ({ code, status, message }) =>
    code === "network_error"
      ? `${address} is unreachable, or its reply was interrupted`
      : status === undefined
        ? message
        : `${status}: ${message}`,
  )
  return { ...calls, address }
})

/** Connects with a key, for what the operator does not do. */
export const connectWithKey = (url: Option.Option<string>) => connect({ organization: Option.none(), url })

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
