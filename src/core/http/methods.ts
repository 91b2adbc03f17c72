import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../api.ts"

/** Pages beside the API, each answering GET. */
const PAGES = [
  "/openapi.json",
  "/docs",
  "/health/live",
  "/health/ready",
  "/exports/:id",
  "/viewer/documents/:id",
  "/viewer/deals/:id",
  "/viewer/documents/:id/original",
] as const

const patterns: Array<{ readonly pattern: RegExp; readonly method: string }> = PAGES.map((path) => ({
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:[^/]+/g, "[^/]+")}$`),
  method: "GET",
}))

patterns.push({ pattern: /^\/mcp$/, method: "POST" })

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    patterns.push({
      pattern: new RegExp(`^${endpoint.path.replaceAll(/:[^/]+/g, "[^/]+")}/?$`),
      method: endpoint.method,
    })
  },
})

/** Which methods a path knows, for 405 and OPTIONS. */
export const methodsAt = (path: string): ReadonlyArray<string> =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
