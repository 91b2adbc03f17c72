/** Prints schemas as interfaces that mention no schema, for the declarations of the client. */
import * as AST from "effect/SchemaAST"

/** A type of a module: an interface if it is one object, otherwise an alias. */
interface Declared {
  readonly name: string
  readonly ast: AST.AST
  readonly module: string
  /** Other types of its shape have its name too. */
  readonly isShared: boolean
}

/** A smaller object's fields are repeated, not inherited. */
const MIN_INHERITED = 15

export class PlainTypes {
  /** By name, and in the order of their modules. */
  readonly #declared = new Map<string, Declared>()
  /** The names of types by their shape: two schemas of one shape are one type. */
  readonly #names = new Map<string, string>()

  /** Declares a type, which has this name wherever its shape occurs, and the types with an identifier in it. */
  declare(module: string, name: string, given: AST.AST) {
    this.#declare({ module, name, ast: AST.toType(given), isShared: true })
  }

  /** Declares a type that has this name only here, and the types with an identifier in it. */
  declareOnce(module: string, name: string, given: AST.AST) {
    this.#declare({ module, name, ast: AST.toType(given), isShared: false })
  }

  #declare(declared: Declared) {
    for (const part of partsOf(declared.ast)) this.declareIn(declared.module, part)
    this.#add(declared)
  }

  /** Declares the types with an identifier in a schema, unless a type of the same shape has a name. */
  declareIn(module: string, given: AST.AST) {
    const ast = AST.toType(given)
    for (const part of partsOf(ast)) this.declareIn(module, part)
    const name = AST.resolveIdentifier(ast)
    if (name !== undefined && (AST.isObjects(ast) || AST.isUnion(ast)) && !this.#names.has(shapeOf(ast)))
      this.#add({ module, name, ast, isShared: true })
  }

  #add(declared: Declared) {
    const { name, ast, isShared } = declared
    if (this.#declared.has(name)) throw new Error(`two schemas that differ are named ${name}`)
    this.#declared.set(name, declared)
    if (isShared) this.#names.set(shapeOf(ast), name)
  }

  /** The declarations of a module. */
  render(module: string): string {
    return [...this.#declared.values()]
      .filter((one) => one.module === module)
      .map((one) => this.#renderDeclared(one))
      .join("\n")
  }

  /** The names of the types of other modules that a text mentions, by module. */
  mentioned(module: string, text: string): ReadonlyMap<string, ReadonlyArray<string>> {
    const words = new Set(text.replaceAll(/\/\*\*.*?\*\/|"[^"]*"/gs, "").match(/\b[A-Z]\w+/g))
    const others = [...this.#declared.values()].filter((one) => one.module !== module && words.has(one.name))
    return new Map([...Map.groupBy(others, (one) => one.module)].map(([other, all]) => [other, all.map(nameOf)]))
  }

  #renderDeclared({ name, ast }: Declared): string {
    const doc = docOf(AST.resolveDescription(ast))
    if (!AST.isObjects(ast)) return `${doc}export type ${name} = ${this.#whole(ast)}\n`
    const base = this.#baseOf(name, ast)
    const inherited = new Set(base?.fields.map((field) => field.name))
    const own = ast.propertySignatures.filter((field) => !inherited.has(field.name))
    const heading = `export interface ${name} ${base ? `extends ${base.name} ` : ""}`
    return `${doc}${heading}{\n${this.#fields(own)}${this.#indexes(ast)}}\n`
  }

  /** The largest shared object whose fields are all among those of `ast`. */
  #baseOf(name: string, ast: AST.Objects) {
    const shapes = new Set(ast.propertySignatures.map(fieldShapeOf))
    return [...this.#declared.values()]
      .flatMap((one) =>
        one.isShared && one.name !== name && AST.isObjects(one.ast) && one.ast.indexSignatures.length === 0
          ? [{ name: one.name, fields: one.ast.propertySignatures }]
          : [],
      )
      .filter(
        ({ fields }) => fields.length >= MIN_INHERITED && fields.every((field) => shapes.has(fieldShapeOf(field))),
      )
      .toSorted((one, other) => other.fields.length - one.fields.length)[0]
  }

  #fields(fields: ReadonlyArray<AST.PropertySignature>): string {
    return fields
      .map(({ name, type }) => {
        const mark = AST.isOptional(type) ? "?" : ""
        return `${this.#docOfField(type)}readonly ${keyOf(name)}${mark}: ${this.print(type)}\n`
      })
      .join("")
  }

  /** The description of a field, unless its type has the same. */
  #docOfField(type: AST.AST): string {
    const [only, ...more] = AST.isUnion(type) ? type.types.filter((one) => !AST.isUndefined(one)) : [type]
    const described = more.length === 0 && only !== undefined ? only : type
    const text = AST.resolveDescription(type) ?? AST.resolveDescription(described)
    const name = this.#names.get(shapeOf(described))
    const ofType = name && AST.resolveDescription(this.#declared.get(name)!.ast)
    return text === ofType ? "" : docOf(text)
  }

  #indexes({ indexSignatures }: AST.Objects): string {
    return indexSignatures
      .map(({ parameter, type }) => `readonly [key: ${this.print(parameter)}]: ${this.print(type)}\n`)
      .join("")
  }

  /** The name of a type if it has one, otherwise its text. */
  print(given: AST.AST): string {
    const ast = AST.toType(given)
    return this.#names.get(shapeOf(ast)) ?? this.#whole(ast)
  }

  #whole(ast: AST.AST): string {
    switch (ast._tag) {
      case "Objects":
        return `{ ${this.#fields(ast.propertySignatures)}${this.#indexes(ast)} }`
      case "Arrays": {
        if (ast.elements.length > 0 || ast.rest.length !== 1) throw new Error("a tuple has no plain type yet")
        return `${ast.isMutable ? "" : "Readonly"}Array<${this.print(ast.rest[0]!)}>`
      }
      case "Union":
        return [...new Set(membersOf(ast, (one) => this.#names.has(shapeOf(one))).map((one) => this.print(one)))].join(
          " | ",
        )
      default:
        return textOf(ast)
    }
  }
}

const nameOf = ({ name }: Declared) => name

const textOf = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Null":
    case "Undefined":
    case "Unknown":
    case "Void":
    case "Never":
      return ast._tag.toLowerCase()
    case "Literal":
      return JSON.stringify(ast.literal)
    case "TemplateLiteral":
      return `\`${ast.parts.map((part) => (AST.isLiteral(part) ? part.literal : `\${${textOf(part)}}`)).join("")}\``
    default:
      throw new Error(`a schema of ${ast._tag} has no plain type yet`)
  }
}

/** The members of a union and of the unions in it that have no name; `undefined` last. */
const membersOf = (ast: AST.Union, hasName: (member: AST.AST) => boolean): ReadonlyArray<AST.AST> =>
  ast.types
    .flatMap((member) => (AST.isUnion(member) && !hasName(member) ? membersOf(member, hasName) : [member]))
    .toSorted((one, other) => Number(AST.isUndefined(one)) - Number(AST.isUndefined(other)))

/** The types that a type mentions. */
const partsOf = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  switch (ast._tag) {
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Union":
      return ast.types
    default:
      return []
  }
}

/** The text of a type without names. */
const shapeOf = (ast: AST.AST): string => {
  const known = shapes.get(ast)
  if (known !== undefined) return known
  const shape = makeShape(ast)
  shapes.set(ast, shape)
  return shape
}
const shapes = new WeakMap<AST.AST, string>()

const makeShape = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "Objects":
      return `{${[
        ...ast.propertySignatures.map(fieldShapeOf),
        ...ast.indexSignatures.map(({ parameter, type }) => `[${shapeOf(parameter)}]:${shapeOf(type)}`),
      ]
        .toSorted()
        .join(";")}}`
    case "Arrays":
      return `${ast.isMutable}[${[...ast.elements, ...ast.rest].map(shapeOf).join()}]`
    case "Union":
      return `(${[...new Set(membersOf(ast, () => false).map(shapeOf))].toSorted().join("|")})`
    default:
      return textOf(ast)
  }
}

const fieldShapeOf = ({ name, type }: AST.PropertySignature) =>
  `${String(name)}${AST.isOptional(type) ? "?" : ""}:${shapeOf(type)}`

const keyOf = (name: PropertyKey) => (/^\w+$/.test(String(name)) ? String(name) : JSON.stringify(name))

export const docOf = (text: string | undefined): string =>
  text ? `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", "\n * ")} */\n` : ""
