/** Writes what the client has from the contract: its types, its list of endpoints, and its reference in `client.md`. `npm run client` */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../../src/core/server/api.ts"
import { CONTENT_TYPES } from "../../src/ingest/safety/sniff.ts"
import { renderTypes } from "./clientTypes.ts"

export const ENDPOINTS_FILE = join(import.meta.dirname, "../../src/adapters/client/endpoints.ts")
export const CLIENT_PAGE = join(import.meta.dirname, "client.md")

const HEAD = `# Reference of the client

Every option, method, filter, type and error of \`sightline/client\`, which [the client](../client.md) introduces. \`npm run client\` writes this page from the
client's types.
`

/** The page of the client's reference. */
export const renderPage = async (): Promise<string> => {
  // It imports the list of endpoints, which may just have been written.
  const { renderReference } = await import("./clientReference.ts")
  return `${HEAD}\n${renderReference()}`
}

/** The module that lists the endpoints, in the order of the contract. */
export const renderEndpoints = (): string => {
  const groups = new Map<string, Array<string>>()
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => groups.set(group.identifier, []),
    onEndpoint: ({ group, endpoint: { identifier, method, path } }) => {
      groups.get(group.identifier)!.push(`    ${identifier}: "${method} ${path.replace(/^\/api\/v1/, "")}",`)
    },
  })
  return [
    "// `npm run client` writes this file from the contract.",
    'import type { Routes } from "./types.ts"',
    "",
    "/** The method of each endpoint, and its path after `/api/v1`. */",
    "export const ENDPOINTS = {",
    ...[...groups].flatMap(([group, endpoints]) => [`  ${group}: {`, ...endpoints, "  },"]),
    "} as const satisfies Routes",
    "",
    "/** The content type of a file, by its extension. */",
    "export const CONTENT_TYPES: Readonly<Record<string, string>> = {",
    ...Object.entries(CONTENT_TYPES).map(([extension, [type]]) => `  ${extension}: "${type}",`),
    "}",
    "",
  ].join("\n")
}

if (import.meta.main) {
  for (const [path, text] of renderTypes()) writeFileSync(join(import.meta.dirname, "../..", path), text)
  writeFileSync(ENDPOINTS_FILE, renderEndpoints())
  writeFileSync(CLIENT_PAGE, await renderPage())
}
