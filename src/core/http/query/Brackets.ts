import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ParsedSearchParams } from "effect/http/HttpServerRequest"

/** One level of brackets: the text between them, mapped to its values or to the next level. */
export type Branch = Map<string, string | ReadonlyArray<string> | Branch>

/** A parameter written in brackets. */
export class Bracketed {
  readonly branch: Branch = new Map()
  /** True if the request mixes forms: `amount={…}&amount[min]=5`, or a value beside brackets (`a[b]=1&a[b][c]=2`). */
  isMixed = false
}

type Params = Readonly<Record<string, string | ReadonlyArray<string>>>

/**
 * Gathers the parts of a parameter in brackets (`amount[min]=5&amount[max]=9`) under its name, for `queryValue` to read.
 * Skips endpoints without arrays and objects in their query.
 */
export class Brackets extends HttpApiMiddleware.Service<Brackets>()("sightline/http/Brackets") {
  static readonly layer = Layer.succeed(
    Brackets,
    Brackets.of((handler, { endpoint }) => {
      const names = structuredNames(endpoint.query)
      if (names.size === 0) return handler
      return Effect.withFiber((fiber) => {
        const given = Context.getUnsafe(fiber.context, ParsedSearchParams) as Params
        const gathered = gather(given, names)
        return gathered === given
          ? handler
          : Effect.provideService(handler, ParsedSearchParams, gathered as Record<string, string | Array<string>>)
      })
    }),
  )
}

/** The parameters whose value is an array or object. */
const structuredNames = (query: Schema.Top | undefined): ReadonlySet<string> => {
  const ast = query === undefined ? undefined : Schema.toType(query).ast
  if (ast?._tag !== "Objects") return new Set()
  return new Set(ast.propertySignatures.filter(({ type }) => hasParts(type)).map(({ name }) => String(name)))
}

const hasParts = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union" ? ast.types.some(hasParts) : ast._tag === "Arrays" || ast._tag === "Objects"

const gather = (params: Params, names: ReadonlySet<string>): Params => {
  let gathered: Record<string, unknown> | undefined
  for (const key in params) {
    const end = key.indexOf("[")
    if (end < 1) continue
    const name = key.slice(0, end)
    const parts = names.has(name) ? splitParts(key.slice(end)) : undefined
    if (parts === undefined) continue
    gathered ??= { ...params }
    delete gathered[key]
    const known = gathered[name]
    const bracketed = known instanceof Bracketed ? known : new Bracketed()
    if (known !== undefined && known !== bracketed) bracketed.isMixed = true
    put(bracketed, parts, params[key]!)
    gathered[name] = bracketed
  }
  return (gathered as Params | undefined) ?? params
}

/** Splits `[0][property]` into its parts. Undefined if the brackets are malformed: the key is then an unknown parameter. */
const splitParts = (text: string): ReadonlyArray<string> | undefined =>
  WELL_FORMED.test(text) ? text.slice(1, -1).split("][") : undefined

const WELL_FORMED = /^(\[[^[\]]*\]){1,8}$/

const put = (bracketed: Bracketed, parts: ReadonlyArray<string>, value: string | ReadonlyArray<string>) => {
  let branch = bracketed.branch
  for (const [index, part] of parts.entries()) {
    const found = branch.get(part)
    if (index === parts.length - 1) {
      if (found !== undefined) bracketed.isMixed = true
      else branch.set(part, value)
    } else if (found === undefined || found instanceof Map) {
      const next: Branch = found ?? new Map()
      branch.set(part, next)
      branch = next
    } else {
      bracketed.isMixed = true
      return
    }
  }
}
