import { join } from "node:path"
import * as OpenApi from "effect/http-api/OpenApi"
import { ENDPOINTS } from "../src/adapters/client/endpoints.ts"
import { publishedAt } from "../src/core/server/openapi.ts"
import { FORMAT, programOf, ts } from "./typescript.ts"

type Json = Record<string, any>

const ENTRY = join(import.meta.dirname, "../src/adapters/client/client.ts")
const FILTERS = "Filters"

/** Renders the reference of the client from its types, with the descriptions of the contract. */
export const renderReference = (): string => new Reference(programOf(ENTRY)).render()

interface Field {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly description: string
}

class Reference {
  readonly #checker: ts.TypeChecker
  readonly #source: ts.SourceFile
  readonly #spec = OpenApi.fromApi(publishedAt("/")) as unknown as Json
  readonly #exports: ReadonlyMap<string, ts.Symbol>
  /** The text of a reply's type, and its name in the OpenAPI description. */
  readonly #named = new Map<string, string>()
  readonly #filters: ReadonlySet<string>

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker()
    this.#source = program.getSourceFile(ENTRY)!
    const module = this.#checker.getSymbolAtLocation(this.#source)!
    this.#exports = new Map(this.#checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]))
    this.#filters = new Set(this.#checker.getPropertiesOfType(this.#exported(FILTERS)).map(({ name }) => name))
  }

  render(): string {
    const client = this.#checker.getPropertiesOfType(this.#exported("Client"))
    const methods = client.flatMap((group) =>
      group.name in ENDPOINTS ? this.#methodsOf(group) : [{ name: group.name, symbol: group }],
    )
    for (const { name, symbol } of methods) this.#nameReply(name, symbol)
    return [
      "## Options\n",
      "Of `createClient`:\n",
      ...this.#tableOf("ClientOptions"),
      "Of every call, as the last argument:\n",
      ...this.#tableOf("CallOptions"),
      "Uploads and imports also take:\n",
      ...this.#tableOf("UploadOptions", "CallOptions"),
      "Waits take:\n",
      ...this.#tableOf("WaitOptions"),
      "## Methods\n",
      ...methods.map(({ name, symbol }) => this.#sectionOf(name, symbol)),
      "## Filters\n",
      ...this.#tableOf(FILTERS),
      "## Replies\n",
      ...[...this.#named].map(([text, name]) => `### ${name}\n\n\`\`\`ts\n${this.#lines(text, name)}\n\`\`\`\n`),
      "## Errors\n",
      "Every failure is a `SightlineError`, except the abort of your own signal.\n",
      ...this.#tableOf("SightlineError", "Error"),
      `\`code\` is one of ${this.#literals("SightlineErrorCode")}.\n`,
    ].join("\n")
  }

  #methodsOf(group: ts.Symbol) {
    const methods = this.#checker.getPropertiesOfType(this.#checker.getTypeOfSymbol(group))
    const names = Object.keys((ENDPOINTS as Json)[group.name] as Json)
    return inOrder(methods, names, ({ name }) => name).map((symbol) => ({
      name: `${group.name}.${symbol.name}`,
      symbol,
    }))
  }

  #exported(name: string): ts.Type {
    const symbol = this.#exports.get(name)!
    const aliased = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    return this.#checker.getDeclaredTypeOfSymbol(aliased)
  }

  #text(type: ts.Type): string {
    return this.#checker
      .typeToString(type, this.#source, FORMAT)
      .replaceAll("readonly ", "")
      .replaceAll(/"[^"]*"(?: \| "[^"]*")+/g, (literals) => literals.split(" | ").toSorted().join(" | "))
  }

  /** What a call resolves to, and whether it is generic: then only its declaration is readable. */
  #reply(symbol: ts.Symbol): { readonly text: string; readonly isDeclared: boolean } {
    const [signature] = this.#checker.getTypeOfSymbol(symbol).getCallSignatures()
    const returned = signature!.getReturnType()
    const [inner] = this.#checker.getTypeArguments(returned as ts.TypeReference)
    if (signature!.typeParameters === undefined && returned.symbol?.name === "Promise" && inner !== undefined) {
      return { text: this.#text(inner), isDeclared: false }
    }
    const node = (signature!.getDeclaration() as ts.SignatureDeclaration | undefined)?.type
    return { text: node?.getText() ?? this.#text(returned), isDeclared: true }
  }

  /** Names a reply if it is an object that the OpenAPI description names. */
  #nameReply(name: string, symbol: ts.Symbol) {
    const operation = this.#operationOf(name)
    const { text, isDeclared } = this.#reply(symbol)
    if (operation === undefined || isDeclared || !text.startsWith("{")) return
    const success = Object.entries<Json>(operation["responses"]).find(([status]) => status.startsWith("2"))
    const ref = success?.[1]["content"]?.["application/json"]?.["schema"]?.["$ref"] as string | undefined
    if (ref !== undefined) this.#named.set(text, ref.slice(ref.lastIndexOf("/") + 1))
  }

  #operationOf(name: string): Json | undefined {
    const operations = Object.values<Json>(this.#spec["paths"]).flatMap((path) => Object.values<Json>(path))
    return operations.find(({ operationId }) => operationId === name)
  }

  #sectionOf(name: string, symbol: ts.Symbol): string {
    const operation = this.#operationOf(name)
    const [group = "", endpoint = ""] = name.split(".")
    const route = (ENDPOINTS as Json)[group]?.[endpoint] as string | undefined
    const own = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))
    const type = this.#checker.getTypeOfSymbol(symbol)
    const input = this.#inputOf(type.getCallSignatures()[0]!)
    const isList = type.getProperty("each") !== undefined
    const { text, isDeclared } = this.#reply(symbol)
    const reply = isDeclared ? `\`${text}\`` : this.#link(text)
    return [
      `### ${name}\n`,
      [
        own || `${operation?.["summary"]}.`,
        route && `\`${route.replace(" ", " /api/v1")}\`.`,
        reply === "nothing" ? "" : `Returns ${reply}.`,
      ]
        .filter(Boolean)
        .join(" "),
      ...(isList
        ? [`\`${name}.each\` iterates over the items of all pages, and \`${name}.pages\` over the pages.`]
        : []),
      "",
      ...(input === undefined || name.startsWith("waitFor") ? [] : this.#inputTable(input, operation)),
    ].join("\n")
  }

  /** The type of a method's first argument. A method of the contract takes a tuple. */
  #inputOf({ parameters: [given] }: ts.Signature): ts.Type | undefined {
    if (given === undefined) return undefined
    const type = this.#checker.getTypeOfSymbol(given)
    const first = this.#checker.isTupleType(type) ? this.#checker.getTypeArguments(type as ts.TypeReference)[0] : type
    return first && this.#checker.getNonNullableType(first)
  }

  /** The name of a reply's type, linked; or its text. */
  #link(text: string): string {
    if (text === "void") return "nothing"
    const name = this.#named.get(text)
    return name === undefined ? `\`${this.#shorten(text)}\`` : `[\`${name}\`](#${name.toLowerCase()})`
  }

  /** Replaces the texts of named types by their names. */
  #shorten(text: string, except?: string): string {
    let short = text.replaceAll(this.#text(this.#exported(FILTERS)), FILTERS)
    for (const [long, name] of [...this.#named].toSorted(([a], [b]) => b.length - a.length)) {
      if (name !== except) short = short.replaceAll(long, name)
    }
    return short
  }

  /** An object type with one field to a line. */
  #lines(text: string, name: string): string {
    const parts = splitTop(
      this.#shorten(text, name)
        .replace(/^\{ /, "")
        .replace(/;? \}$/, ""),
    )
    const names = Object.keys(this.#spec["components"]["schemas"][name]?.["properties"] ?? {})
    const ordered = inOrder(parts, names, (part) => /^\w+/.exec(part)?.[0] ?? "")
    return ["{", ...ordered.map((part) => `  ${part}`), "}"].join("\n")
  }

  #inputTable(input: ts.Type, operation: Json | undefined): ReadonlyArray<string> {
    const fields = this.#fieldsOf(input, operation)
    const others = fields.filter(({ name }) => !this.#filters.has(name))
    const hasFilters = fields.length - others.length > 20
    return table(hasFilters ? others : fields, hasFilters ? ["the [filters](#filters)"] : [])
  }

  #tableOf(name: string, without?: string): ReadonlyArray<string> {
    const inherited = new Set(
      without === undefined
        ? []
        : without === "Error"
          ? ["name", "stack", "cause"]
          : this.#fieldsOf(this.#exported(without)).map((field) => field.name),
    )
    const operation = name === FILTERS ? this.#operationOf("deals.list") : undefined
    return table(this.#fieldsOf(this.#exported(name), operation).filter((field) => !inherited.has(field.name)))
  }

  #fieldsOf(type: ts.Type, operation?: Json): ReadonlyArray<Field> {
    const members = type.isUnion() ? type.types : [type]
    const symbols = new Map(
      members.flatMap((member) => this.#checker.getPropertiesOfType(member)).map((one) => [one.name, one]),
    )
    const fields = [...symbols.values()].map((symbol) => {
      const isInAll = members.every((member) => this.#checker.getPropertyOfType(member, symbol.name) !== undefined)
      const isOptional = !isInAll || (symbol.flags & ts.SymbolFlags.Optional) !== 0
      const text = ownText(symbol) ?? this.#shorten(this.#text(this.#checker.getTypeOfSymbol(symbol)))
      const own = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))
      const type = isOptional ? text.replace(/ \| undefined$/, "").replace(/^undefined \| /, "") : text
      return { name: symbol.name, type, isOptional, description: own || this.#describe(symbol.name, operation) }
    })
    return inOrder(fields, operation === undefined ? [] : this.#namesIn(operation), ({ name }) => name)
  }

  /** The contract's description of a parameter or of a field of the body. */
  #describe(name: string, operation: Json | undefined): string {
    const parameters = (operation?.["parameters"] ?? []) as ReadonlyArray<Json>
    const parameter = parameters.find((one) => one["name"] === name)
    const bodies = Object.values<Json>(operation?.["requestBody"]?.["content"] ?? {}).map(({ schema }) =>
      this.#resolve(schema),
    )
    const fields = bodies.map((schema) => this.#resolve(schema?.["properties"]?.[name]))
    return parameter?.["description"] ?? fields.find((field) => field?.["description"])?.["description"] ?? ""
  }

  /** The parameters and the fields of the body, in the contract's order. */
  #namesIn(operation: Json): ReadonlyArray<string> {
    const parameters = (operation["parameters"] ?? []) as ReadonlyArray<Json>
    const bodies = Object.values<Json>(operation["requestBody"]?.["content"] ?? {})
    const fields = bodies.flatMap(({ schema }) => Object.keys(this.#resolve(schema)?.["properties"] ?? {}))
    return [...parameters.map((parameter) => String(parameter["name"])), ...fields]
  }

  #resolve(schema: Json | undefined): Json | undefined {
    const ref = schema?.["$ref"] as string | undefined
    return ref === undefined ? schema : this.#spec["components"]["schemas"][ref.slice(ref.lastIndexOf("/") + 1)]
  }

  #literals(name: string): string {
    const type = this.#exported(name)
    const members = type.isUnion() ? type.types : [type]
    return members.map((member) => `\`${(member as ts.StringLiteralType).value}\``).join(", ")
  }
}

/** The type as this project writes it. A type parameter stands for the columns asked for. */
const ownText = ({ valueDeclaration: declared }: ts.Symbol): string | undefined =>
  declared !== undefined &&
  ts.isPropertySignature(declared) &&
  /\/adapters\/client\//.test(declared.getSourceFile().fileName)
    ? declared.type?.getText().replace(/^C\b/, "ReadonlyArray<Selector>")
    : undefined

/** Sorts by the position in `names`; the compiler's own order changes with unrelated files. */
const inOrder = <A>(items: ReadonlyArray<A>, names: ReadonlyArray<string>, nameOf: (item: A) => string) => {
  const position = new Map(names.map((name, index) => [name, index]))
  const at = (item: A) => position.get(nameOf(item)) ?? names.length
  return items.toSorted((a, b) => at(a) - at(b))
}

const table = (fields: ReadonlyArray<Field>, more: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (fields.length + more.length === 0) return []
  const rows = fields.map(
    ({ name, type, isOptional, description }) =>
      `| \`${name}${isOptional ? "?" : ""}\` | \`${inCell(type)}\` | ${inCell(description).replaceAll("\n", " ")} |`,
  )
  return ["| field | type | |", "|---|---|---|", ...rows, ...more.map((row) => `| ${row} | | |`), ""]
}

/** A pipe would end the cell. */
const inCell = (text: string) => text.replaceAll("|", "\\|")

/** Splits the fields of an object type, not those of the objects in it. */
const splitTop = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if ("{([<".includes(text[at]!)) depth++
    if ("})]".includes(text[at]!) || (text[at] === ">" && text[at - 1] !== "=")) depth--
    if (text[at] !== ";" || depth > 0) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== "")
}
