import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cellsOf, readFile, refusalOf } from "./support.ts"

const rowsOf = (text: string) => Effect.map(readFile(text), cellsOf)

describe("the rows of a CSV", () => {
  it.effect(
    "are separated by the delimiter that gives most rows one width, below titles and beside values with commas",
    () =>
      Effect.gen(function* () {
        for (const delimiter of [",", ";", "\t", "|", "^", "~"]) {
          const line = (...cells: ReadonlyArray<string>) => cells.join(delimiter)
          const text = [
            "Pipeline, Q3",
            "",
            line("Deal", "Amount", "Tags"),
            line("A", '"1,5"', "x"),
            line("B", '"2,5"', "y"),
          ]
          const { facts, rows } = yield* readFile(text.join("\n"))
          assert.strictEqual(facts.delimiter, delimiter)
          assert.deepStrictEqual(rows.slice(1), [
            { line: 2, cells: [] },
            { line: 3, cells: ["Deal", "Amount", "Tags"] },
            { line: 4, cells: ["A", "1,5", "x"] },
            { line: 5, cells: ["B", "2,5", "y"] },
          ])
        }
        assert.strictEqual((yield* readFile("name,products\nA,x;y;z\nB,p;q;r\nC,u;v;w")).facts.delimiter, ",")
        assert.deepStrictEqual(yield* rowsOf("sep=|\nname,x|amount\nA|1"), [
          ["name,x", "amount"],
          ["A", "1"],
        ])
      }),
  )

  it.effect("are without the lines that a table of Markdown or of a database's shell draws", () =>
    Effect.gen(function* () {
      const { rows } = yield* readFile("| Deal | Amount |\n|:---|--:|\n| A | 1 |\n| - | - |\n")
      assert.deepStrictEqual(
        rows.map(({ line, cells }) => [line, cells.map((cell) => (cell as string).trim())]),
        [
          [1, ["", "Deal", "Amount", ""]],
          [3, ["", "A", "1", ""]],
          [4, ["", "-", "-", ""]],
        ],
      )
      assert.deepStrictEqual(yield* rowsOf(" Deal | Amount\n------+-------\n A    | 1\n B    | 2\n"), [
        [" Deal ", " Amount"],
        [" A    ", " 1"],
        [" B    ", " 2"],
      ])
      assert.lengthOf((yield* readFile("Deal;Amount\n---;---\nA;1\n")).rows, 3)
    }),
  )

  it.effect("have the delimiter of their header, whatever another one the first line states", () =>
    Effect.gen(function* () {
      const factsOf = (text: string) =>
        Effect.map(readFile(text), ({ facts }) => [facts.delimiter, facts.statedDelimiter])
      const rows = 'Deal,Competitors,Stage\nA,"Rival; Orvanta",Won\nB,Rival; Contoso,Lost'
      assert.deepStrictEqual(yield* factsOf(`sep=;\n${rows}`), [",", ";"])
      assert.deepStrictEqual(yield* factsOf(`sep=;\n${rows.replaceAll(",", "\t")}`), ["\t", ";"])
      assert.deepStrictEqual(yield* factsOf(`sep=,\n${rows}`), [",", undefined])
      assert.deepStrictEqual(yield* factsOf("sep=;\nDeal;Amount\nA, b;1,5\nC, d;2,5"), [";", undefined])
      assert.deepStrictEqual(yield* factsOf("sep=;\nname\nBerg, Anna\nOde, Ben"), [";", undefined])
    }),
  )

  it.effect("have the line on which they begin, in chunks of any size", () =>
    Effect.gen(function* () {
      const text = '\ufeff"Deal\r\nName",Amount\r\nA,1\r\n,,\r\n"B\r\n\r\nC",2\r\n'
      for (const size of [1, 2, 7, 1_000]) {
        const { rows } = yield* readFile(text, { size })
        assert.deepStrictEqual(rows, [
          { line: 1, cells: ["Deal\nName", "Amount"] },
          { line: 3, cells: ["A", "1"] },
          { line: 4, cells: [] },
          { line: 5, cells: ["B\n\nC", "2"] },
        ])
      }
    }),
  )

  it.effect("take spaces before quotation marks for none of the cell", () =>
    Effect.gen(function* () {
      const lines = ["name, client, amount", 'a, "Acme, Inc.", 1', 'b, "Big ""B""" ,"2"', '"c, ""d"", e", E, 3']
      assert.deepStrictEqual((yield* rowsOf(lines.join("\n"))).slice(1), [
        ["a", "Acme, Inc.", " 1"],
        ["b", 'Big "B"', "2"],
        ['c, "d", e', " E", " 3"],
      ])
      assert.deepStrictEqual((yield* rowsOf('name;note\na;say "hi" now\nb; "x" y')).slice(1), [
        ["a", 'say "hi" now'],
        ["b", ' "x" y'],
      ])
    }),
  )

  it.effect("take a backslash for an escape, and typographic quotes for quotes, only if the file proves it", () =>
    Effect.gen(function* () {
      const mysql = ["name,summary,amount", '"A \\"big\\" one","line, two",1', '"C","a \\\\ b",\\N', '"D \\\\",x,2']
      for (const size of [1, 1_000]) {
        assert.deepStrictEqual(cellsOf(yield* readFile(mysql.join("\n"), { size })).slice(1), [
          ['A "big" one', "line, two", "1"],
          ["C", "a \\ b", ""],
          ["D \\", "x", "2"],
        ])
      }
      assert.deepStrictEqual(yield* rowsOf('path,n\n"C:\\dir\\",1\n"5\\6",2'), [
        ["path", "n"],
        ["C:\\dir\\", "1"],
        ["5\\6", "2"],
      ])
      assert.deepStrictEqual((yield* rowsOf("name,summary,amount\n“A, renewal”,x,1\n“B”,y,2"))[1], [
        "A, renewal",
        "x",
        "1",
      ])
      assert.deepStrictEqual((yield* rowsOf("name,amount\n“A”,1\nB said “no”,2")).slice(1), [
        ["“A”", "1"],
        ["B said “no”", "2"],
      ])
    }),
  )

  it.effect("keep inches and quotes inside of cells, and unwrap what Excel protects", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* rowsOf('id,name\n="00012",27" monitor\n"=""7""","5 ""star"""\n="",O\'Neill "the boss"'),
        [
          ["id", "name"],
          ["00012", '27" monitor'],
          ["7", '5 "star"'],
          ["", 'O\'Neill "the boss"'],
        ],
      )
    }),
  )

  it.effect("say why they cannot be read, and show their text", () =>
    Effect.gen(function* () {
      const text = ["name,amount", '"A "B" C",1', "ok,2", `wide${",x".repeat(1_000)}`, 'last,"open', "after,3"].join(
        "\n",
      )
      const { rows } = yield* readFile(text)
      assert.deepStrictEqual(
        rows.map(({ line, problem }) => [line, problem]),
        [
          [1, undefined],
          [2, "has a quotation mark inside a quoted cell: double it"],
          [3, undefined],
          [4, "has 1001 cells: a file may have 1000 columns"],
          [5, "opens a quotation mark that is never closed"],
          [6, undefined],
        ],
      )
      assert.strictEqual(rows[1]?.text, '"A "B" C",1')
      assert.strictEqual(rows[4]?.text, 'last,"open')
    }),
  )
})

describe("text that was encoded twice", () => {
  it.effect("is refused with the word and what it was", () =>
    Effect.gen(function* () {
      assert.match(yield* refusalOf("name,amount\nMÃ¼ller renewal,1"), /^BadRequest: .*'MÃ¼ller', which was 'Müller'/)
      assert.match(yield* refusalOf("name\nÐŸÑ€Ð¾Ð´Ð»ÐµÐ½Ð¸Ðµ"), /'Продление'/)
    }),
  )

  it.effect("is a problem of its row if others are right, and good text is none", () =>
    Effect.gen(function* () {
      const { rows } = yield* readFile("name\nMüller\nOâ€™Neill\nCAFÉ… à\u00a0« Paris »\nMAÇÃ”\n")
      assert.deepStrictEqual(
        rows.map(({ problem }) => problem?.slice(0, 34)),
        [undefined, undefined, "has 'Oâ€™Neill', which was 'O’Neil", undefined, undefined],
      )
      const { records } = yield* readFile('{"name":"Müller"}\n{"name":"MÃ¼ller"}')
      assert.isTrue("problem" in records[1]!)
    }),
  )
})
