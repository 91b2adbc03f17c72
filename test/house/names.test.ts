import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ts } from "@ts-morph/common"
import { assert, describe, it } from "vitest"

const SRC = new URL("../../src/", import.meta.url).pathname

/** Hosts call it, so its name stays. It fails for a role that does not exist. */
const PUBLIC = /^core\/answers\/Asker\.ts:\d+ askerOf$/

type Made = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration

const isMade = (node: ts.Node): node is Made =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)

/** Whether an expression is a call of Effect's, also one at the head of a pipe. */
const isEffect = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isCallExpression(node) && node.getText().startsWith("Effect.")

/** Whether a function does more than look at its arguments: it waits, throws, or returns an effect or a promise. */
const acts = (made: Made): boolean => {
  if (ts.getModifiers(made)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true) return true
  if (/\b(Effect\.Effect|Promise)</.test(made.type?.getText() ?? "")) return true
  if (made.body !== undefined && isEffect(made.body)) return true
  const visit = (node: ts.Node): boolean => {
    if (isMade(node) && node !== made) return false
    if (ts.isThrowStatement(node) || ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true
    if (ts.isReturnStatement(node) && isEffect(node.expression)) return true
    return ts.forEachChild(node, visit) === true
  }
  return visit(made)
}

/** The functions named `xOf` that act, as `file:line name`. */
const actingProjections = (file: string, text: string): ReadonlyArray<string> => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const add = (name: ts.Identifier, doesAct: boolean) => {
    if (!/^[a-z]\w*Of$/.test(name.text) || !doesAct) return
    found.push(`${file}:${source.getLineAndCharacterOfPosition(name.getStart()).line + 1} ${name.text}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) add(node.name, acts(node))
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const made = node.initializer
      if (isMade(made)) add(node.name, acts(made))
      else add(node.name, made.getText().startsWith("Effect.fn"))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe("names", () => {
  it("end in Of only for functions that look at their arguments and do nothing else", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file))
    const found = files.flatMap((file) => actingProjections(file, readFileSync(join(SRC, file), "utf8")))
    assert.deepStrictEqual(
      found.filter((each) => !PUBLIC.test(each)),
      [],
    )
  })

  it("are refused for what waits, throws or returns an effect", () => {
    const text = [
      "const nameOf = (row: Row) => row.name",
      "const textOf = async (row: Row) => row.text()",
      "const rowOf = Effect.fnUntraced(function* (id: string) { return yield* find(id) })",
      "const ageOf = (row: Row) => { if (row.age < 0) throw new Error(); return row.age }",
      "const lineOf = (row: Row) => Effect.sync(() => row.line)",
      "const makerOf = (row: Row) => async () => row.make()",
      "const firstOf = (rows: Rows): Effect.Effect<Row> => first(rows)",
    ].join("\n")
    const found = actingProjections("a.ts", text)
    assert.deepStrictEqual(found, ["a.ts:2 textOf", "a.ts:3 rowOf", "a.ts:4 ageOf", "a.ts:5 lineOf", "a.ts:7 firstOf"])
  })
})
