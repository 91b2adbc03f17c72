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

for (const { endpoints } of Object.values(Api.groups)) {
  for (const { path, method } of Object.values(endpoints)) {
    patterns.push({ pattern: new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}/?$`), method })
  }
}

/** Which methods a path knows, for 405 and OPTIONS. */
export const methodsAt = (path: string): ReadonlyArray<string> =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
