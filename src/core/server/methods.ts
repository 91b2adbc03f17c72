import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import {
  CONSOLE_FILE,
  CONSOLE_PAGES,
  CONSOLE_SESSION,
  OPENID,
  OPENID_CALLBACK,
  OPENID_CHOICE,
} from "../console/pages.ts"
import { AUTHORIZE, REGISTER, RESOURCE_METADATA, REVOKE, SERVER_METADATA, SIGN_IN, TOKEN } from "../oauth/SigningIn.ts"
import { nearest } from "../common/nearest.ts"
import { Api } from "./api.ts"

/** A longer path is compared by its beginning. */
const MAX_SEGMENTS = 8

/** Paths outside the API that accept GET. */
const PAGES = [
  "/openapi.json",
  "/docs",
  "/health/live",
  "/health/ready",
  "/exports/:token",
  "/v/:token",
  "/v/:token/original",
  "/r/:token",
  ...CONSOLE_PAGES,
  CONSOLE_FILE,
  OPENID,
  OPENID_CALLBACK,
  OPENID_CHOICE,
  AUTHORIZE,
  SERVER_METADATA,
  RESOURCE_METADATA,
  `${RESOURCE_METADATA}/mcp`,
] as const

/** The path of a request, without its query. */
export const pathOf = ({ url }: { readonly url: string }): string => url.split("?", 1)[0] ?? "/"

interface Route {
  readonly path: string
  readonly pattern: RegExp
  readonly method: string
  readonly endpoint?: HttpApiEndpoint.Top
}

const routes: Array<Route> = PAGES.map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:[^/]+/g, "[^/]+")}$`),
  method: "GET",
}))

for (const method of ["POST", "DELETE"])
  routes.push({ path: CONSOLE_SESSION, pattern: new RegExp(`^${CONSOLE_SESSION}$`), method })
routes.push({ path: "/mcp", pattern: /^\/mcp$/, method: "POST" })
for (const path of [AUTHORIZE, SIGN_IN, TOKEN, REVOKE, REGISTER, OPENID_CHOICE])
  routes.push({ path, pattern: new RegExp(`^${path}$`), method: "POST" })

for (const { endpoints } of Object.values(Api.groups)) {
  for (const endpoint of Object.values(endpoints) as ReadonlyArray<HttpApiEndpoint.Top>) {
    const { path, method } = endpoint
    routes.push({ path, pattern: new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}/?$`), method, endpoint })
  }
}

/** The methods that a path accepts, for 405 and OPTIONS. */
export const methodsAt = (path: string): ReadonlyArray<string> =>
  routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)

/** The API endpoint at a path, if any. */
export const endpointAt = (method: string, path: string): HttpApiEndpoint.Top | undefined =>
  routes.find((route) => route.method === method && route.pattern.test(path))?.endpoint

const MAX_LIKE = 3

/** The words of a path, without the names of its parameters. */
const splitWords = (path: string) => path.split("/").filter((part) => part !== "" && !part.startsWith(":"))

const endpoints = routes.filter(({ endpoint }) => endpoint !== undefined)
const WORDS = new Set(endpoints.flatMap(({ path }) => splitWords(path)))

/** Endpoints that a request without a route may mean, the shortest first: of its method, with each word of its path that is one of ours. */
export const endpointsLike = (method: string, path: string): ReadonlyArray<string> => {
  const given = splitWords(path).slice(0, MAX_SEGMENTS)
  const words = given.flatMap((word) => (WORDS.has(word) ? [word] : nearest(word, WORDS).slice(0, 1)))
  // `/api/v1` alone says nothing.
  if (words.length < 3) return []
  return endpoints
    .filter((route) => route.method === method && words.every((word) => splitWords(route.path).includes(word)))
    .map((route) => route.path)
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MAX_LIKE)
    .map((path) => `${method} ${path}`)
}

/** The path of the route at a path, with names for its parameters; undefined if there is none. */
export const routeAt = (path: string): string | undefined => routes.find(({ pattern }) => pattern.test(path))?.path
