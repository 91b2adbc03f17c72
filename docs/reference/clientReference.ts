import { join } from "node:path"
import * as OpenApi from "effect/http-api/OpenApi"
import { ENDPOINTS } from "../../src/adapters/client/endpoints.ts"
import { publishedAt } from "../../src/core/server/openapi.ts"
import { FORMAT, programOf, ts } from "./typescript.ts"

type Json = Record<string, any>

const ENTRY = join(import.meta.dirname, "../../src/adapters/client/client.ts")
const FILTERS = "Filters"
/** The client's own type of a row. The compiler prints its columns instead of the name. */
const DEAL = "Deal"
/** It has the fields of the filters, which have a section of their own. */
const CONDITION = "DealCondition"

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
  /** The names of the contract's types that the page mentions, in the order of their first mention. */
  readonly #mentioned = new Set<string>()
  readonly #filters: ReadonlySet<string>
  readonly #deal: string

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker()
    this.#source = program.getSourceFile(ENTRY)!
    const module = this.#checker.getSymbolAtLocation(this.#source)!
    this.#exports = new Map(this.#checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]))
    this.#deal = this.#text(this.#exported(DEAL))
    this.#filters = new Set(this.#checker.getPropertiesOfType(this.#exported(FILTERS)).map(({ name }) => name))
  }

  render(): string {
    const client = this.#checker.getPropertiesOfType(this.#exported("Client"))
    const methods = client.flatMap((group) =>
      group.name in ENDPOINTS ? this.#methodsOf(group) : [{ name: group.name, symbol: group }],
    )
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
      "## Types\n",
      ...this.#sectionsOfTypes(),
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
    return this.#checker.getDeclaredTypeOfSymbol(this.#target(this.#exports.get(name)!))
  }

  #target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
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
    const short = this.#shorten(text)
    return this.#mentioned.has(short) ? `[\`${short}\`](#${short.toLowerCase()})` : `\`${short}\``
  }

  /** The text of a type. The page then describes the contract's types in it. */
  #shorten(text: string): string {
    const short = text.replaceAll(this.#deal, DEAL).replaceAll("DealFilters", FILTERS)
    for (const [name] of short.replaceAll(/"[^"]*"/g, "").matchAll(/\b[A-Z]\w+/g))
      if (name === DEAL || this.#isOfContract(name)) this.#mentioned.add(name)
    return short
  }

  #isOfContract(name: string): boolean {
    const symbol = this.#exports.get(name)
    return name !== CONDITION && symbol !== undefined && this.#target(symbol).declarations?.some(isOfContract) === true
  }

  /** A section for each type that was mentioned, and for those that these mention. */
  #sectionsOfTypes(): ReadonlyArray<string> {
    const sections: Array<string> = []
    for (const name of this.#mentioned) sections.push(`### ${name}\n\n\`\`\`ts\n${this.#lines(name)}\n\`\`\`\n`)
    return sections
  }

  /** An object type with one field to a line. */
  #lines(name: string): string {
    const type = this.#exported(name)
    if (type.isUnion()) {
      const members = type.types.map((member) => this.#shorten(this.#text(member)))
      return members
        .toSorted()
        .map((member) => `| ${member}`)
        .join("\n")
    }
    const columns = this.#checker.getPropertiesOfType(this.#exported("ColumnValues")).map((symbol) => symbol.name)
    const symbols = this.#checker.getPropertiesOfType(type)
    const fields = inOrder(symbols, name === DEAL ? columns : [], (symbol) => symbol.name).map((symbol) => {
      const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
      const text = this.#shorten(this.#text(this.#checker.getTypeOfSymbol(symbol)))
      return `  ${symbol.name}${isOptional ? "?" : ""}: ${isOptional ? withoutUndefined(text) : text}`
    })
    return ["{", ...fields, "}"].join("\n")
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
      const type = isOptional ? withoutUndefined(text) : text
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
  /\/adapters\/client\//.test(declared.getSourceFile().fileName) &&
  !isOfContract(declared)
    ? declared.type?.getText().replace(/^C\b/, "ReadonlyArray<Selector>")
    : undefined

const isOfContract = (node: ts.Node) =>
  /\/client\/contract\/|\/deals\/columns\/values\.ts$/.test(node.getSourceFile().fileName)

const withoutUndefined = (text: string) => text.replace(/ \| undefined$/, "").replace(/^undefined \| /, "")

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
