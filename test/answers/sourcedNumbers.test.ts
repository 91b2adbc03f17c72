import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { paced } from "../../src/core/answers/agent/paced.ts"
import { linked, makeWriter, writtenBy } from "./writing.ts"

const NOTE = "(A sentence is withheld: a number in it has no source.)"

/** The part of each text that callers see. */
const shows = (
  cases: ReadonlyArray<readonly [model: string, shown: string]>,
  options: Parameters<typeof writtenBy>[1],
) =>
  Effect.forEach(cases, ([model, shown]) =>
    Effect.map(writtenBy(model, options), ({ text }) => assert.strictEqual(text, shown, model)),
  )

/** Whether each text, and nothing of it, is withheld. */
const withholds = (models: ReadonlyArray<string>, options: Parameters<typeof writtenBy>[1] = {}) =>
  Effect.forEach(models, (model) =>
    Effect.map(writtenBy(`Orbit leads. ${model}`, options), ({ text, withheld }) =>
      assert.deepStrictEqual([text.trim(), withheld], [`Orbit leads. ${NOTE}`, 1], model),
    ),
  )
const passes = (models: ReadonlyArray<string>, options: Parameters<typeof writtenBy>[1] = {}) =>
  Effect.forEach(models, (model) =>
    Effect.map(writtenBy(model, options), ({ text, withheld }) => {
      assert.strictEqual(withheld, 0, model)
      assert.strictEqual(text, model)
    }),
  )

describe("numbers of a model", () => {
  it.effect("are those before a raised mark of a note or a fraction, never joined with it", () =>
    Effect.gen(function* () {
      const said = ["1,200¹ seats for 2½ hours"]
      yield* passes(["Orbit has 1,200 seats.", "Orbit has 1,200¹ seats."], { said })
      yield* withholds(["Orbit has 12,001 seats.", "Orbit takes 21 hours."], { said })
    }),
  )

  it.effect("are inserted by reference with unit and link, also of deals and earlier periods", () =>
    shows(
      [
        [
          "Orbit: [[orbit.win_rate]], won [[orbit.won]], worth [[orbit.amount_won]].",
          "Orbit: [40.0 %]<row0>, won [40]<row0>, worth [1.25 m EUR]<row0>.",
        ],
        ["Before it was [[orbit.previous_win_rate]] %.", "Before it was [35.3 %]<row0>."],
        [
          "It took [[orbit.cycle_days_avg]] days, €[[orbit.amount_won]].",
          "It took [90.5 days]<row0>, [1.25 m EUR]<row0>.",
        ],
        ["| [[orbit.won]] | [[orbit.won]] |\n", "| [40]<row0> | [40]<row0> |\n"],
        [
          "Harbor 9 is worth [[deal.amount]] and closes [[deal.close_date]].",
          "Harbor 9 is worth [10,009.5 EUR]<deal> and closes [2026-03-31]<deal>.",
        ],
      ],
      {},
    ),
  )

  it.effect("from nowhere or copied from a result withhold their sentence, as digits, words or in other scripts", () =>
    withholds([
      "We won 40 of them.",
      "We won 999 of them [[orbit]].",
      "Its win rate is 40 % [[orbit]].",
      "We won twelve deals.",
      "We lost two dozen.",
      "The deal is worth EUR10009.",
      "It costs １７２ a seat.",
      "It costs ١٧٢ a seat.",
      "We won 9[[orbit.won]].",
      "We won [[orbit.won]]k.",
      "We won [[orbit.won]] million.",
      "We won [[orbit.won]] %.",
      "It took [[orbit.won]] days.",
      "We won [[orbit.won]] and lost 40.",
      "We lost 0 deals.",
      "Reasons: 2 deals and price.",
      "97. That is all it won.",
      "We asked [[orbit.happiness]] of them.",
      "We asked [[zzzz.won]] of them.",
    ]),
  )

  it.effect("are no numbers in names, articles, ordinals and words of Spanish", () =>
    passes(["Zenith 24 has one weak point. First, a second look at Harbor 9 at once helps the third team."]),
  )

  it.effect("pass verbatim with their unit from a passage that the same sentence cites", () =>
    Effect.gen(function* () {
      const { text } = yield* writtenBy(
        "Orbit charges $48 per seat [[price]]. Its support answers within 26 hours. [[price]] The pilot has 12 users [[price]].",
      )
      assert.strictEqual(
        text,
        "Orbit charges $48 per seat [Card.md]<price>. Its support answers within 26 hours. [Card.md]<price> The pilot has 12 users [Card.md]<price>.",
      )
      yield* withholds([
        "Orbit charges $48 per seat.",
        "Orbit charges €48 per seat [[price]].",
        "Orbit charges $50 per seat [[price]].",
        "Its support answers within 26 days [[price]].",
        "Orbit charges about $49 per seat [[price]].",
      ])
    }),
  )

  it.effect("pass from the caller's messages, but not with another unit", () =>
    Effect.gen(function* () {
      const said = ["Which of the top 5 deals are over 100k, and is 91.7 % true?"]
      yield* passes(["These are 5 deals over 100,000 EUR, and 91.7 % is no result."], { said })
      yield* withholds(["The win rate is 5 %.", "It takes 5 days.", "It is 91.6 %."], { said })
    }),
  )

  it.effect("pass as dates and bounds of a tool's arguments, but not as its other numbers", () =>
    Effect.gen(function* () {
      const args = {
        query: "1999",
        limit: 17,
        filters: {
          close_date: { from: "2026-01-01", to: "2026-03-31" },
          amount: { min: 50_000 },
          created_at: { period: "last_30_days" },
        },
      }
      yield* passes(["From 1 January to 31 March 2026, over 50k EUR, in the last 30 days."], { args })
      yield* withholds(
        ["That was in 2025.", "That was in 1999.", "There are 17 of them.", "That was on 2 January 2026."],
        { args },
      )
    }),
  )

  it.effect("pass as markers of a list in order, and as the count of the list that follows", () =>
    Effect.gen(function* () {
      yield* passes([
        "1. Orbit is strong.\n2. Zenith 24 is weak. It sells less.\n",
        "We meet 3 rivals:\n\n- Orbit\n- Zenith 24\n  - in Asia\n- Acme\n\nThat is all.",
        "Three rivals matter.\n1. Orbit\n2. Zenith 24\n3. Acme",
        "The two regions:\n\n| Region |\n|---|\n| EMEA |\n| AMER |\n",
        "There are two reasons: price and support.",
      ])
      yield* withholds(["97. That is what we won.", "There are three reasons: price and support."])
      for (const [model, count] of [
        ["We meet 4 rivals:\n- Orbit\n- Zenith 24\n- Acme\n", 1],
        ["We meet 3 rivals:\n- Orbit\n- Zenith 24\n- Acme has 77 seats\n", 2],
        ["We won 2 deals.\n\nBoth are small.", 1],
        [`We meet 30 rivals:\n${"- a rival with a rather long name, as some have\n".repeat(30)}`, 1],
      ] as const)
        assert.strictEqual((yield* writtenBy(model)).withheld, count, model)
    }),
  )

  it.effect("of a table withhold their row alone", () =>
    shows(
      [
        [
          "| Rival | Won |\n|---|---|\n| Orbit | [[orbit.won]] |\n| Zenith | 77 |\n| Acme | – |\nDone.",
          `| Rival | Won |\n|---|---|\n| Orbit | [40]<row0> |\n| Acme | – |\n${NOTE}\nDone.`,
        ],
      ],
      {},
    ),
  )

  it.effect("are read by whole sentences: a date, an abbreviation or a list's marker does not end one", () =>
    Effect.gen(function* () {
      const args = { from: "2026-03-31" }
      yield* passes(["Am 31. März 2026 endet es. Dr. Vogt weiß das."], { args })
      assert.strictEqual((yield* writtenBy("Es waren 12. Danach kam nichts.")).text, `${NOTE} Danach kam nichts.`)
    }),
  )
})

describe("numbers that the server computes", () => {
  it.effect("are differences, sums and ratios of like values, and cite both rows", () =>
    shows(
      [
        [
          "[[orbit.win_rate - zenith.win_rate]] more.",
          "[15.0 percentage points]<row0> [Report: win rate by competitor]<row1> more.",
        ],
        [
          "[[zenith.win_rate − orbit.win_rate]] percentage points.",
          "[−15.0 percentage points]<row1> [Report: win rate by competitor]<row0>.",
        ],
        ["Up [[orbit.win_rate - orbit.previous_win_rate]].", "Up [4.7 percentage points]<row0>."],
        ["[[orbit.won + zenith.won]] in all.", "[50]<row0> [Report: win rate by competitor]<row1> in all."],
        ["[[zenith.won/orbit.won]] of it.", "[25.0 %]<row1> [Report: win rate by competitor]<row0> of it."],
        [
          "[[orbit.amount_won / zenith.amount_won]] times as much.",
          "[2.5 times]<row0> [Report: win rate by competitor]<row1> as much.",
        ],
        [
          "[[orbit.win_rate / zenith.win_rate]] the rate.",
          "[1.6 times]<row0> [Report: win rate by competitor]<row1> the rate.",
        ],
        ["[[orbit.amount_won - deal.amount]] more.", "[1.24 m EUR]<row0> [Harbor 9]<deal> more."],
      ],
      {},
    ),
  )

  it.effect("withhold their sentence if the values do not go together", () =>
    withholds([
      "It is [[orbit.win_rate + zenith.win_rate]].",
      "It is [[orbit.amount_avg + zenith.amount_avg]].",
      "It is [[orbit.amount_won / orbit.won]].",
      "It is [[orbit.win_rate - orbit.won]].",
      "It is [[orbit.won / zenith.lost]].",
      "It is [[orbit.cycle_days_avg - zenith.cycle_days_avg]].",
      "It is [[orbit.won * zenith.won]].",
      "It is [[orbit.won - zenith.won - zenith.lost]].",
      "It is [[deal.close_date - deal.close_date]].",
    ]),
  )
})

describe("text of a model", () => {
  it.effect("is released by the sentence, however it is split", () =>
    Effect.gen(function* () {
      const { writer, text, refs } = makeWriter()
      writer.begin(false)
      yield* writer.write(`Orbit leads. We won [[${refs.orbit}`)
      assert.strictEqual(text(), "Orbit leads. ")
      yield* writer.write(".won]] deals. And")
      assert.match(text(), /^Orbit leads\. We won \[40\]\(\S+\) deals\. $/)
    }).pipe(linked),
  )

  it.effect("is never more than 1,000 characters behind the model", () =>
    Effect.gen(function* () {
      for (const model of [
        "a ".repeat(3000),
        "x".repeat(5000),
        `Three rivals:\n${"- a rival with some words\n".repeat(200)}`,
        `We won 12 deals.\n${"\n".repeat(3000)}`,
        "1".repeat(5000),
      ]) {
        const { writer, text, withheld } = makeWriter()
        writer.begin(false)
        for (const [n, character] of [...model].entries()) {
          yield* writer.write(character)
          if (withheld() === 0) assert.isAtMost(n + 1 - text().length, 1000, model.slice(0, 20))
        }
      }
    }).pipe(linked),
  )

  it.effect("of a slow model goes out within two seconds as far as its sentences are complete", () =>
    Effect.gen(function* () {
      const { writer, text } = makeWriter()
      const words = Stream.fromIterable("It is so. Then they".split(/(?<= )/)).pipe(
        Stream.mapEffect((delta) => Effect.delay(Effect.succeed({ type: "text", delta } as const), "700 millis")), // virtual time
      )
      writer.begin(true)
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(paced(Stream.concat(words, Stream.never)), (part) =>
          part.type === "tick" ? writer.tick() : writer.write(part.delta),
        ),
      )
      yield* TestClock.adjust("2100 millis")
      assert.strictEqual(text(), "")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(text(), "It is so. ")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(text(), "It is so. ")
      yield* Fiber.interrupt(fiber)
    }).pipe(linked),
  )

  it.effect("answers if nothing was withheld; else only with a source, where there is another answer", () =>
    Effect.gen(function* () {
      for (const [model, isAnswer] of [
        ["You are welcome!", true],
        ["", false],
        ["We won 97.", false],
        ["Hello! We won 97.", false],
        ["Here are the numbers. We won 97.", false],
        ["We won [[orbit.won]]. We lost 97.", true],
      ] as const)
        assert.strictEqual((yield* writtenBy(model)).isAnswer, isAnswer, model)
    }),
  )
})
