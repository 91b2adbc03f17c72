/** Writes the reference of the services in `services.md`. `npm run services` */
import { writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { FORMAT, programOf, ts } from "./typescript.ts"

export const SERVICES_PAGE = join(import.meta.dirname, "services.md")
const ENTRY = join(import.meta.dirname, "../../src/core/services.ts")
const HEAD = `# Reference of the services

Every service of \`sightline/services\`, with the types of what it takes, returns and fails with. [Embed it](../embedding.md#the-services) shows how to call
them. \`npm run services\` writes this page from their types.

- The first argument names the organization, by its id or by a caller. If it does not exist, the call fails with \`NotFound\`.
- \`Effect<A, E>\` succeeds with an \`A\` or fails with one of \`E\`. \`DatabaseUnavailable\` is temporary.
- Times are ISO 8601 in UTC unless a field says otherwise.
`

/** Types that a page of their own describes. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Row: 'With `Row<"name" | "amount">`: `{ id: string; name: string; amount: number | null }`.',
  DealFilters: "The [filters](client.md#filters) of deals.",
  DealUpdate:
    "The fields of a deal's [import record](../import.md) without `id`. One that is left out stays unchanged; null clears it.",
  ImportRecord: "A record of an [import](../import.md), by its `type`.",
  AuditAction: "The acts that the [audit log](../api.md) names, such as `key.created`.",
}

/** The page of the services' reference. */
export const renderPage = (): string => `${HEAD}\n${new Reference(programOf(ENTRY)).render()}`

/** Types that a service mentions and that `sightline/services` does not export. */
export const findUnnamed = (): ReadonlyArray<string> => new Reference(programOf(ENTRY)).findUnnamed()

/** Shorter unions of literals are printed where they are used. */
const MIN_NAMED_LENGTH = 80

class Reference {
  readonly #checker: ts.TypeChecker
  readonly #source: ts.SourceFile
  /** The texts of the types that schemas define, and their names; the longest first. */
  readonly #named: ReadonlyArray<readonly [text: string, name: string]>

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker()
    this.#source = program.getSourceFile(ENTRY)!
    const exported = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(this.#source)!)
    this.#named = exported
      .flatMap((symbol) => {
        const declared = this.#resolve(symbol)
        return declared.getDeclarations()?.some((one) => ts.isTypeAliasDeclaration(one) && isOfSchema(one)) === true
          ? [[this.#whole(this.#checker.getDeclaredTypeOfSymbol(declared)), symbol.name] as const]
          : []
      })
      .filter(([text]) => text.startsWith("{") || text.length > MIN_NAMED_LENGTH)
      .toSorted(([one], [other]) => other.length - one.length)
  }

  #resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  render(): string {
    return this.#source.statements
      .filter(ts.isExportDeclaration)
      .flatMap((statement) => {
        const { elements } = statement.exportClause as ts.NamedExports
        return [...this.#headingOf(statement), ...elements.map((element) => this.#sectionOf(element))]
      })
      .join("\n")
  }

  findUnnamed(): ReadonlyArray<string> {
    const exported = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(this.#source)!)
    const known = new Set(exported.map((symbol) => this.#resolve(symbol)))
    const found = new Set<string>()
    const visit = (node: ts.Node): void => {
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : undefined
      const symbol = name && this.#checker.getSymbolAtLocation(name)
      const resolved = symbol && this.#resolve(symbol)
      const isOurs = resolved?.declarations?.some((one) => /\/src\/core\//.test(one.getSourceFile().fileName)) === true
      if (isOurs && !known.has(resolved) && !(resolved.flags & ts.SymbolFlags.TypeParameter))
        found.add(`${name!.getText()} in ${relative(join(ENTRY, ".."), node.getSourceFile().fileName)}`)
      ts.forEachChild(node, visit)
    }
    for (const symbol of known) {
      for (const declared of symbol.declarations ?? []) {
        const shape = ts.isClassDeclaration(declared) ? shapeOf(declared) : undefined
        const isPlain =
          ts.isInterfaceDeclaration(declared) || (ts.isTypeAliasDeclaration(declared) && !isOfSchema(declared))
        if (shape !== undefined) visit(shape)
        else if (isPlain && ELSEWHERE[symbol.name] === undefined) visit(declared)
      }
    }
    return [...found]
  }

  /** A line comment above an export begins a section. */
  #headingOf(statement: ts.ExportDeclaration): ReadonlyArray<string> {
    const text = this.#source.text
    const comments = ts.getLeadingCommentRanges(text, statement.pos) ?? []
    return comments
      .map(({ pos, end }) => text.slice(pos, end))
      .filter((comment) => comment.startsWith("//"))
      .map((comment) => `## ${comment.slice(2).trim().replace(/\.$/, "")}\n`)
  }

  #sectionOf({ name }: ts.ExportSpecifier): string {
    const exported = this.#checker.getExportSpecifierLocalTargetSymbol(name.parent as ts.ExportSpecifier)!
    const symbol = this.#resolve(exported)
    const declarations = symbol.getDeclarations() ?? []
    const doc = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))
    return [
      `### ${name.text}\n`,
      ...(doc === "" ? [] : [`${doc.replaceAll(/\s*\n/g, " ")}\n`]),
      this.#bodyOf(name.text, symbol, declarations),
    ]
      .filter((part) => part !== "")
      .join("\n")
  }

  #bodyOf(name: string, symbol: ts.Symbol, declarations: ReadonlyArray<ts.Declaration>): string {
    const elsewhere = ELSEWHERE[name]
    if (elsewhere !== undefined) return `${elsewhere}\n`
    const service = declarations.find(ts.isClassDeclaration)
    if (service !== undefined) return this.#ofClass(service)
    const declared = declarations.find((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
    if (declared === undefined) return code(this.#valueOf(name, declarations[0]!))
    const text = declared.getText()
    return code(
      /= \(?typeof |\[K in |= keyof /.test(text) && ts.isTypeAliasDeclaration(declared)
        ? this.#expand(name, symbol)
        : text,
    )
  }

  /** The methods of a service; an error has fields. */
  #ofClass(declared: ts.ClassDeclaration): string {
    const shape = shapeOf(declared)
    if (shape !== undefined) {
      return code(shape.members.map((member) => withComments(member, dedent(member.getText(), 4))).join("\n"))
    }
    return `An error with \`_tag\` \`${declared.name?.text}\` and \`message\`.\n`
  }

  #valueOf(name: string, declared: ts.Declaration): string {
    return `${name}: ${this.#checker.typeToString(this.#checker.getTypeAtLocation(declared), declared, FORMAT)}`
  }

  /** The fields of a type that a schema defines, one to a line. */
  #expand(name: string, symbol: ts.Symbol): string {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
    if (type.isUnion()) {
      const members = type.types.map((member) => this.#text(member))
      return `type ${name} =\n${members
        .toSorted()
        .map((member) => `  | ${member}`)
        .join("\n")}`
    }
    const fields = this.#checker.getPropertiesOfType(type).map((field) => {
      const optional = field.flags & ts.SymbolFlags.Optional ? "?" : ""
      return `  ${field.name}${optional}: ${this.#text(this.#checker.getTypeOfSymbol(field))}`
    })
    return [`interface ${name} {`, ...fields, "}"].join("\n")
  }

  #text(type: ts.Type): string {
    return this.#named.reduce((short, [text, name]) => short.replaceAll(text, name), this.#whole(type))
  }

  #whole(type: ts.Type): string {
    return this.#checker
      .typeToString(type, this.#source, FORMAT)
      .replaceAll(/"[^"]*"(?: \| "[^"]*")+/g, (literals) => literals.split(" | ").toSorted().join(" | "))
  }
}

/** The type of a service's methods. */
const shapeOf = (declared: ts.ClassDeclaration): ts.TypeLiteralNode | undefined => {
  const parent = declared.heritageClauses?.[0]?.types[0]?.expression
  const made = parent !== undefined && ts.isCallExpression(parent) ? parent.expression : undefined
  const shape = made !== undefined && ts.isCallExpression(made) ? made.typeArguments?.[1] : undefined
  return shape !== undefined && ts.isTypeLiteralNode(shape) ? shape : undefined
}

/** Whether a type is declared by a value, such as a schema. */
const isOfSchema = (declared: ts.Declaration): boolean =>
  ts.isTypeAliasDeclaration(declared) && /= \(?typeof |\[K in |= keyof /.test(declared.getText())

const withComments = (node: ts.Node, text: string) => {
  const source = node.getSourceFile().text
  const comments = ts.getLeadingCommentRanges(source, node.pos) ?? []
  return [...comments.map(({ pos, end }) => dedent(source.slice(pos, end), 4)), text].join("\n")
}

/** The first line has no indent. */
const dedent = (text: string, spaces: number) => text.replaceAll(new RegExp(`\\n {1,${spaces}}`, "g"), "\n")

const code = (text: string) =>
  `\`\`\`ts\n${text
    .replaceAll(/\bexport |\breadonly (?!\[)/g, "")
    .replaceAll("Effect.Effect<", "Effect<")
    .replaceAll("Stream.Stream<", "Stream<")}\n\`\`\`\n`

if (import.meta.main) writeFileSync(SERVICES_PAGE, renderPage())
