import { createHash, randomBytes } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { serve } from "../../src/adapters/node.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import type { Services } from "../../src/core/provided.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"
import { makeWorkspace } from "../answers/workspace.ts"
import type { engines } from "../support/engines.ts"

type Workspace = Effect.Success<ReturnType<typeof makeWorkspace>>

/** A server that listens, with two workspaces, and the descriptions of clients that it finds on the internet. */
export class Door extends Context.Service<
  Door,
  {
    readonly url: string
    readonly mine: Workspace
    readonly other: Workspace
    readonly services: Context.Context<Services>
    readonly documents: Map<string, { readonly text: string; readonly cacheControl?: string }>
    /** How often each description was fetched. */
    readonly fetches: Map<string, number>
  }
>()("test/Door") {}

export const layerDoor = (database: (typeof engines)[number]["database"]) =>
  Layer.effect(
    Door,
    Effect.gen(function* () {
      const documents = new Map<string, { readonly text: string; readonly cacheControl?: string }>()
      const fetches = new Map<string, number>()
      const layerFetcher = Layer.effect(
        UrlFetcher,
        Effect.map(UrlFetcher, (guarded) => ({
          ...guarded,
          fetch: (url: string, limits: Parameters<typeof guarded.fetch>[1]) =>
            Effect.suspend(() => {
              fetches.set(url, (fetches.get(url) ?? 0) + 1)
              const found = documents.get(url)
              if (found === undefined) return guarded.fetch(url, limits)
              const { text, cacheControl } = found
              const bytes = Stream.succeed(new TextEncoder().encode(text))
              return Effect.succeed({ contentType: "application/json", cacheControl, bytes })
            }),
        })),
      ).pipe(Layer.provide(layerGuarded()))
      let made: readonly [Workspace, Workspace, Context.Context<Services>] | undefined
      const { url } = yield* serve({
        database: Layer.orDie(database),
        library: Layer.mergeAll(BlobStore.layerMemory, layerReader, layerFetcher, Transcriber.layerNone),
        port: 0,
        prepare: Effect.gen(function* () {
          made = [yield* makeWorkspace(), yield* makeWorkspace(), yield* Effect.context<Services>()]
        }),
      })
      return Door.of({ url, mine: made![0], other: made![1], services: made![2], documents, fetches })
    }),
  )

/** Runs an effect with the services behind the server. */
export const inside = <A, E>(effect: Effect.Effect<A, E, Services>) =>
  Effect.flatMap(Door, ({ services }) => Effect.orDie(Effect.provide(effect, services)))

export const CALLBACK = "https://assistant.example/callback"

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
  /** The address to which a redirect leads. */
  readonly location: URL | undefined
}

/** A browser with a jar of cookies, which follows no redirect by itself. */
export const openBrowser = (url: string) => {
  const cookies = new Map<string, string>()
  const send = async (
    path: string,
    init: RequestInit & { readonly headers?: Record<string, string> } = {},
  ): Promise<Reply> => {
    const reply = await fetch(new URL(path, url), {
      redirect: "manual",
      ...init,
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), ...init.headers },
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await reply.text()
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") && text !== ""
    const location = reply.headers.get("location")
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
      location: location === null ? undefined : new URL(location, url),
    }
  }
  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    form: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers },
      }),
    json: (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
      send(path, {
        method,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    delete: (path: string, headers: Record<string, string>) => send(path, { method: "DELETE", headers }),
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** The value of a hidden field. */
export const hidden = (html: string, name: string): string =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""

export const makeProof = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

export interface Asking {
  readonly client: string
  readonly challenge: string
  readonly redirectUri?: string
  readonly more?: Record<string, string>
}

export const authorizePath = (url: string, { client, challenge, redirectUri = CALLBACK, more = {} }: Asking) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: redirectUri,
    state: "s1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${url}/mcp`,
    ...more,
  })}`

/** Registers a client as one without a description does. */
export const registerClient = (browser: Browser, redirectUris = [CALLBACK], name = "Assistant") =>
  Effect.promise(async () => {
    const reply = await browser.json("/oauth/register", { client_name: name, redirect_uris: redirectUris })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.json.client_id as string
  })

/** Signs in with a key, up to the consent page. */
export const askForConsent = (browser: Browser, path: string, key: string) =>
  Effect.promise(async () => {
    const page = await browser.get(path)
    if (page.location !== undefined || hidden(page.text, "consent") !== "") return page
    const signedIn = await browser.form("/oauth/sign-in", { request: hidden(page.text, "request"), key })
    return signedIn.location === undefined ? signedIn : browser.get(signedIn.location.href)
  })

export const agree = (browser: Browser, page: Reply) =>
  Effect.promise(() =>
    browser.form("/oauth/authorize", {
      consent: hidden(page.text, "consent"),
      as: hidden(page.text, "as"),
      decision: "allow",
    }),
  )

/** Goes the whole way of an assistant: registration, sign-in, consent, code, token. */
export const connect = Effect.fnUntraced(function* (
  key: string,
  { more, given }: { readonly more?: Record<string, string>; readonly given?: string } = {},
) {
  const { url } = yield* Door
  const browser = openBrowser(url)
  const client = given ?? (yield* registerClient(browser))
  const { verifier, challenge } = makeProof()
  const page = yield* askForConsent(
    browser,
    authorizePath(url, { client, challenge, ...(more !== undefined && { more }) }),
    key,
  )
  const decided = yield* agree(browser, page)
  const code = decided.location?.searchParams.get("code") ?? ""
  const exchange = (changed: Record<string, string> = {}) =>
    Effect.promise(() =>
      browser.form("/oauth/token", {
        grant_type: "authorization_code",
        code,
        client_id: client,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
        resource: `${url}/mcp`,
        ...changed,
      }),
    )
  const refresh = (token: string, changed: Record<string, string> = {}) =>
    Effect.promise(() =>
      browser.form("/oauth/token", {
        grant_type: "refresh_token",
        refresh_token: token,
        client_id: client,
        resource: `${url}/mcp`,
        ...changed,
      }),
    )
  return { browser, client, page, decided, code, exchange, refresh }
})

/** A message to `/mcp`. */
export const ask = Effect.fnUntraced(function* (
  token: string | undefined,
  method = "tools/list",
  params: Record<string, unknown> = {},
) {
  const { url } = yield* Door
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return yield* Effect.promise(() => openBrowser(url).json("/mcp", { jsonrpc: "2.0", id: 1, method, params }, headers))
})

/** Lets an assistant read a workspace; the code is left unused. */
export const connectAssistant = (url: string, key: string): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const browser = openBrowser(url)
      const path = authorizePath(url, { client: yield* registerClient(browser), challenge: makeProof().challenge })
      return yield* agree(browser, yield* askForConsent(browser, path, key))
    }),
  )
