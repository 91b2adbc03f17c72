import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ts } from "@ts-morph/common"
import { assert, describe, it } from "vitest"

const SRC = new URL("../../src/", import.meta.url).pathname

/** The places where an object literal defines a getter or a setter, as `file:line`. */
const accessorsInLiterals = (file: string, text: string): ReadonlyArray<string> => {
  if (!/\b[gs]et \w+\(/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * V8 makes a hidden class for each object literal with an accessor, which outlives the object. One in the state of a request doubled the CPU of
 * a refusal: all code that read the state was megamorphic, and a third of the young generation survived.
 */
describe("accessors", () => {
  it("belong to classes, because V8 makes a hidden class for each object literal that has one", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file))
    assert.deepStrictEqual(
      files.flatMap((file) => accessorsInLiterals(file, readFileSync(join(SRC, file), "utf8"))),
      [],
    )
  })

  it("are found in literals, not in classes", () => {
    const text = "class A {\n  get a() { return 1 }\n}\nconst b = {\n  get b() { return 1 },\n  set b(value) {},\n}"
    assert.deepStrictEqual(accessorsInLiterals("a.ts", text), ["a.ts:5", "a.ts:6"])
  })
})
