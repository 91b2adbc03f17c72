import { assert, describe, it } from "@effect/vitest"
import { readSubtitles } from "../../../../src/ingest/formats/text/readSubtitles.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"

const read = (text: string) =>
  readSubtitles(new TextEncoder().encode(text)).elements.map(({ place, text }) =>
    place.kind === "time" ? [place.start, place.end, place.speaker, text] : [],
  )

const VTT = `WEBVTT - Call with Harbor

NOTE recorded on Monday
and cut

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.500 align:start
<v Ada Byron>We chose <i>you</i> &amp; not them.</v>

00:03.600 --> 00:05.000
<v Ada Byron>The price was lower.

01:00:00.250 --> 01:00:02.000
<v.loud Ben>Thank you.</v>
`

const SRT =
  "1\r\n00:00:01,000 --> 00:00:03,500\r\n- ADA: We chose you.\r\n\r\n2\r\n00:00:09,000 --> 00:00:10,000\r\nIt was\r\ncheaper.\r\n"

describe("subtitles", () => {
  it("of WebVTT are the turns of speakers at their seconds, without comments, styles and tags", () => {
    assert.deepStrictEqual(read(VTT), [
      [1, 5, "Ada Byron", "We chose you & not them. The price was lower."],
      [3600.25, 3602, "Ben", "Thank you."],
    ])
  })

  it("of SubRip are the same, with a name before a colon as the speaker", () => {
    assert.deepStrictEqual(read(SRT), [
      [1, 3.5, "ADA", "We chose you."],
      [9, 10, undefined, "It was cheaper."],
    ])
  })

  it("have a name in brackets as the speaker where most cues have one, and sounds where few have", () => {
    const cues = (...texts: ReadonlyArray<string>) =>
      read(texts.map((text, n) => `${n}\n00:00:0${n},000 --> 00:00:0${n},500\n${text}\n`).join("\n")).map(
        ([, , speaker, text]) => [speaker, text],
      )
    assert.deepStrictEqual(cues("[Speaker 1] It is slow.", "[Ben Kraus]: It took 19 minutes.", "Per report."), [
      ["Speaker 1", "It is slow."],
      ["Ben Kraus", "It took 19 minutes."],
      [undefined, "Per report."],
    ])
    assert.deepStrictEqual(cues("[Music] Welcome.", "We begin.", "It is slow."), [
      [undefined, "[Music] Welcome. We begin. It is slow."],
    ])
  })

  it("have several speakers in one cue, and no marks of players", () => {
    const at = (second: number, text: string) => `00:00:0${second}.000 --> 00:00:0${second}.900\n${text}\n`
    const text = [
      at(1, "<v Ada Byron>We chose you.</v>\n<v Ben>Why not them?</v>"),
      at(3, "&gt;&gt; Dr. Zoe de Vries (VP of Sales at Harbor): Hello."),
      at(4, "{\\an8}ADA: Bye."),
      at(5, "- Ada: So?\n- Ben: Yes."),
    ]
    assert.deepStrictEqual(read(`WEBVTT\n\n${text.join("\n")}`), [
      [1, 1.9, "Ada Byron", "We chose you."],
      [1, 1.9, "Ben", "Why not them?"],
      [3, 3.9, "Dr. Zoe de Vries (VP of Sales at Harbor)", "Hello."],
      [4, 4.9, "ADA", "Bye."],
      [5, 5.9, "Ada", "So?"],
      [5, 5.9, "Ben", "Yes."],
    ])
  })

  it("have no sentence or word of a list as a speaker", () => {
    const text =
      "WEBVTT\n\n00:01.000 --> 00:02.000\nThe reason is simple: price.\n\n00:03.000 --> 00:04.000\nNote: it rose.\n"
    assert.deepStrictEqual(read(text), [[1, 4, undefined, "The reason is simple: price. Note: it rose."]])
  })

  it("may follow each other without an empty line", () => {
    const text =
      "1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:05,000 --> 00:00:06,000\nIn\n2026\n3\n00:00:09,000 --> 00:00:10,000\nThree.\n"
    assert.deepStrictEqual(read(text), [
      [1, 2, undefined, "One."],
      [5, 6, undefined, "In 2026"],
      [9, 10, undefined, "Three."],
    ])
    assert.deepStrictEqual(read("WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n00:05.000 --> 00:06.000\nTwo."), [
      [1, 2, undefined, "One."],
      [5, 6, undefined, "Two."],
    ])
  })

  it("keep turns short enough to cite", () => {
    const cues = Array.from(
      { length: 100 },
      (_, n) => `00:${String(n % 60).padStart(2, "0")}.000 --> 00:59.999\nAda: ${"word ".repeat(10)}\n`,
    )
    for (const [, , , text] of read(`WEBVTT\n\n${cues.join("\n")}`)) assert.isBelow(String(text).length, 700)
  })

  it.each(["", "WEBVTT\n", "WEBVTT\n\nNOTE nothing\n", "1\n00:00:01,000 --> broken\nHello"])(
    "without a spoken line end in a typed error: %j",
    (text) => {
      assert.throws(() => read(text), UnreadableError)
    },
  )
})
