import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type Json = Record<string, any>

/** Describes arrays and objects in the form that generated clients send. `queryValue` accepts the other forms too. */
export const nativeParameters = (operation: Json, query: Schema.Top, components: Json) => {
  const native = Schema.toJsonSchemaDocument(Schema.toType(query))
  Object.assign(components["schemas"], rewriteRefs(native.definitions))
  const properties = rewriteRefs((native.schema as Json)["properties"] ?? {}) as Json
  for (const parameter of operation["parameters"] as Array<Json>) {
    const declared = properties[parameter["name"]] as Json | undefined
    if (parameter["in"] !== "query" || declared === undefined) continue
    const { description, ...schema } = present(declared)
    Object.assign(parameter, {
      description: description ?? describeQuery(Schema.toType(query).ast, parameter["name"]),
      ...describeForm(schema),
    })
  }
}

/** Finds a description on a check, which the JSON schema leaves out. */
const describeQuery = (query: SchemaAST.AST, name: string): string | undefined => {
  const type = query._tag === "Objects" ? query.propertySignatures.find((each) => each.name === name)?.type : undefined
  const members = type?._tag === "Union" ? [type, ...type.types] : type === undefined ? [] : [type]
  return members.map((member) => SchemaAST.resolveDescription(member)).find((text) => text !== undefined)
}

const describeForm = (schema: Json): Json => {
  const list = [schema, ...((schema["anyOf"] as ReadonlyArray<Json>) ?? [])].find(({ type }) => type === "array")
  if (list !== undefined) return { schema: { ...list, items: inText(list["items"]) }, style: "form", explode: true }
  return schema["type"] === "object" ? { schema, style: "deepObject", explode: true } : { schema }
}

/** An element of a repeated parameter is text; an object is written as JSON. */
const inText = (item: Json): Json =>
  "$ref" in item ? { type: "string", contentMediaType: "application/json", contentSchema: item } : item

/** The JSON schema of an optional field allows null, which a query string cannot express; this removes it. */
const present = (schema: Json): Json => {
  const members = (schema["anyOf"] as ReadonlyArray<Json> | undefined)?.filter((member) => member["type"] !== "null")
  return members?.length === 1 && members[0] !== undefined ? members[0] : schema
}

const rewriteRefs = <A>(schema: A): A =>
  JSON.parse(
    JSON.stringify(schema)
      .replaceAll('"#/$defs/', '"#/components/schemas/')
      .replaceAll('"additionalProperties":true', '"additionalProperties":false'),
  ) as A
