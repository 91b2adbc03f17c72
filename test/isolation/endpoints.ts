import * as HttpApi from "effect/http-api/HttpApi"
import { Api, type EndpointName } from "../../src/core/server/api.ts"
import { ID_FIELDS } from "./idFields.ts"
import type { Kind } from "./kinds.ts"

export interface Endpoint {
  readonly name: EndpointName
  readonly method: string
  readonly path: string
  readonly queryFields: ReadonlyArray<string>
  readonly takesBody: boolean
}

export const ENDPOINTS: Array<Endpoint> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ group, endpoint }) => {
    const ast = endpoint.query?.ast
    ENDPOINTS.push({
      name: `${group.identifier}.${endpoint.identifier}` as EndpointName,
      method: endpoint.method,
      path: endpoint.path,
      queryFields: ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [],
      takesBody: endpoint.payload.size > 0,
    })
  },
})

/** A place of an endpoint that takes an id. */
export interface Field {
  readonly place: "path" | "query" | "body"
  readonly name: string
  readonly kind: Kind
  readonly write: (id: string) => unknown
  readonly alike?: true
}

export const fieldsOf = ({ name }: Endpoint): ReadonlyArray<Field> => {
  const { path = {}, query = {}, body = {} } = ID_FIELDS[name]
  return [
    ...Object.entries(path).map(([name, kind]) => ({ place: "path" as const, name, kind, write: (id: string) => id })),
    ...Object.entries(query).flatMap(([name, fields]) =>
      fields.map((field) => ({ place: "query" as const, name, ...field })),
    ),
    ...Object.entries(body).map(([name, field]) => ({ place: "body" as const, name, ...field })),
  ]
}

/** An endpoint's path with these parameters. Any other parameter is a deal that every tenant has. */
export const pathOf = (path: string, given: Readonly<Record<string, string>>) =>
  path.replaceAll(/:([^/]+)/g, (_, name: string) => encodeURIComponent((given[name] ?? "d_same").toWellFormed()))
