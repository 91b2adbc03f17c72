import { ENDPOINTS } from "./endpoints.ts"
import type { CallOptions } from "./options.ts"
import type { Call } from "./Transport.ts"
import type { EndpointOf, GroupName } from "./types.ts"

type Fields = Readonly<Record<string, unknown>>

const routeOf = <G extends GroupName>(group: G, endpoint: EndpointOf<G>): readonly [method: string, path: string] => {
  const route = (ENDPOINTS[group] as Readonly<Record<string, string>>)[endpoint]!
  const space = route.indexOf(" ")
  return [route.slice(0, space), `/api/v1${route.slice(space + 1)}`]
}

/** The path of an endpoint without parameters in it. */
export const pathOf = <G extends GroupName>(group: G, endpoint: EndpointOf<G>, query: object = {}): string =>
  routeOf(group, endpoint)[1] + writeQuery(query)

/** Makes the request of an endpoint: path parameters from `input`, and the rest of it as the query or the body. */
export const makeRequest = <G extends GroupName>(
  group: G,
  endpoint: EndpointOf<G>,
  input: Fields = {},
  options: CallOptions = {},
): Call => {
  const [method, template] = routeOf(group, endpoint)
  const rest = { ...input } as Record<string, unknown>
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeSegment(name, value)
  })
  return method === "GET" || method === "DELETE"
    ? { ...options, method, path: path + writeQuery(rest) }
    : { ...options, method, path, json: rest }
}

/** A dot segment or an empty one would make the path of another endpoint. */
export const encodeSegment = (name: string, value: unknown): string => {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(value)
}

/** Arrays and objects are written as JSON. */
const writeQuery = (fields: object): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
  }
  return query.size === 0 ? "" : `?${query}`
}
