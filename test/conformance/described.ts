import type { Client } from "./Client.ts"

/** The server's parser refuses a URL that is too long, before there is a path. */
const TOO_LONG = 431

/** `METHOD path status` of replies that the description of a known path does not list. */
export const undescribed = (
  description: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
  },
  seen: Client["seen"],
): ReadonlyArray<string> => {
  const paths = Object.entries(description.paths).map(([template, methods]) => ({
    template,
    methods,
    pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
  }))
  const missing = seen.flatMap(({ method, path, status }) => {
    const found = paths.find(({ pattern }) => pattern.test(path))
    const operation = found?.methods[(method === "HEAD" ? "GET" : method).toLowerCase()]
    if (found === undefined || operation === undefined || String(status) in operation.responses) return []
    if (status === TOO_LONG) return []
    return [`${method} ${found.template} ${status}`]
  })
  return [...new Set(missing)].sort()
}
