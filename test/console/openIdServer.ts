import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { openIdProvider } from "../../src/adapters/identity/openId.ts"
import type { Role } from "../../src/core/access/permissions.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { NO_RULES, type OpenIdOptions } from "../../src/core/members/rules.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import type { engines } from "../support/engines.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"
import type { Provider } from "./provider.ts"

export const ORIGIN = "http://localhost:8787"
export const CONSOLE = { "x-sightline-console": "1" }
export const FILES = { "index.html": '<meta content="%OPENID%"><script src="%BASE%/console/main-1.js">' }

export interface Given extends Partial<OpenIdOptions> {
  readonly trustEmail?: boolean
  readonly publicUrl?: string
}

/** A cookie that a reply sets, as a browser sends it. */
export const cookieOf = (reply: Response, name: string) =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";")[0]

/** A service with the provider, and a browser that keeps its cookies. */
export const openServer = async (
  database: (typeof engines)[number]["database"],
  provider: Provider,
  { trustEmail = false, publicUrl, ...rules }: Given,
) => {
  const choice = {
    issuer: provider.issuer,
    clientId: "sightline",
    clientSecret: Redacted.make("provider-secret"),
    scopes: "openid email",
    trustEmail,
  }
  const web = await Sightline.open({
    database,
    background: false,
    publicUrl,
    plans: UNLIMITED_PLANS,
    console: async () => FILES,
    openId: { ...NO_RULES, provider: openIdProvider(choice), ...rules },
    oauth: {},
  })
  const run = <A, E>(effect: Effect.Effect<A, E, Sightline.Services>) => web.run(effect)
  const tenant = async (name: string) => {
    const { id: org } = await run(Effect.flatMap(Organizations, (all) => all.create({ name, plan: UNLIMITED })))
    const { key } = await run(Effect.flatMap(ApiKeys, (keys) => keys.create(org, { name: "admin", role: "admin" })))
    return { org, key }
  }
  const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const request = new Request(new URL(path, ORIGIN), { redirect: "manual", ...init })
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return web.handler(request)
  }
  const api = async (path: string, key: string, method = "GET", body?: object) => {
    const reply = await send(
      `/api/v1${path}`,
      key.startsWith("sl_") ? { authorization: `Bearer ${key}` } : { cookie: key, ...CONSOLE },
      body === undefined
        ? { method }
        : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    )
    return { status: reply.status, json: reply.status === 204 ? undefined : ((await reply.json()) as any) }
  }
  const add = async (key: string, email: string, role: Role) =>
    (await api("/members", key, "POST", { email, role })).json

  /** Goes to the provider and back. Returns the reply and the cookie that it leaves. */
  const goThere = async () => {
    const begun = await send("/console/openid")
    const there = await fetch(begun.headers.get("location")!, { redirect: "manual" })
    return { cookie: cookieOf(begun, "sightline_openid")!, back: there.headers.get("location")! }
  }
  const comeBack = async (back: string, cookie: string | undefined) => {
    const { pathname, search } = new URL(back)
    const reply = await send(pathname + search, cookie === undefined ? {} : { cookie })
    return {
      page: reply.headers.get("location"),
      cookie: cookieOf(reply, "sightline_openid")!,
      status: reply.status,
    }
  }
  const visit = async () => {
    const { back, cookie } = await goThere()
    return comeBack(back, cookie)
  }
  const choices = async (cookie: string) => {
    const reply = await send("/console/openid/choice", { cookie, ...CONSOLE })
    return ((await reply.json()) as { organizations: ReadonlyArray<{ id: string; name: string }> }).organizations
  }
  const enter = async (cookie: string, organization: string, headers: Record<string, string> = CONSOLE) =>
    send("/console/openid/choice", { cookie, ...headers }, { method: "POST", body: JSON.stringify({ organization }) })
  /** The whole way; the cookie of the session, or the page that refuses. */
  const signIn = async (organization: string) => {
    const { page, cookie } = await visit()
    if (page !== "/sign-in?openid") return { page, session: "" }
    return { page, session: cookieOf(await enter(cookie, organization), "sightline_session")! }
  }
  return { web, tenant, send, api, add, goThere, comeBack, visit, choices, enter, signIn }
}
