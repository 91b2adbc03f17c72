import { assert, describe, it } from "@effect/vitest"
import type { ReadDocument } from "../../../src/ingest/document.ts"
import { readDocx } from "../../../src/ingest/formats/office/readDocx.ts"
import { readText } from "../../../src/ingest/formats/text/readText.ts"
import { readJson } from "../../../src/ingest/transcripts/readJson.ts"
import { codeOf } from "../support/codeOf.ts"
import { docx, paragraph } from "../support/office.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const linesOf = ({ elements }: ReadDocument) =>
  elements.map(({ kind, text, place }) => {
    const time = place.kind === "time" ? `${place.start}-${place.end} ` : ""
    return `${kind} ${time}${"speaker" in place ? `[${place.speaker}] ` : ""}${text}`
  })
const txt = (text: string) => linesOf(readText(utf8(text), "txt"))
const json = (value: unknown) => linesOf(readJson(utf8(JSON.stringify(value))))

const EXPECTED = [
  "speech 5-12 [Ada Byron] We chose you.",
  "speech 12-70 [Ben Smith] Why not them?",
  "speech 70-70 [Ada Byron] The price was lower.",
]

describe("transcripts as text", () => {
  it.each([
    [
      "Otter",
      "Ada Byron  0:05\nWe chose you.\n\nBen Smith  0:12\nWhy not them?\n\nAda Byron  1:10\nThe price was lower.\n",
    ],
    [
      "Zoom",
      "00:00:05 Ada Byron: We chose you.\n00:00:12 Ben Smith: Why not them?\n00:01:10 Ada Byron: The price was lower.\n",
    ],
    [
      "Gong",
      "0:05 | Ada Byron\nWe chose you.\n0:12 | Ben Smith\nWhy not them?\n1:10 | Ada Byron\nThe price was lower.\n",
    ],
    [
      "Fireflies",
      "Ada Byron | 00:05\nWe chose you.\n\nBen Smith | 00:12\nWhy not them?\n\nAda Byron | 01:10\nThe price was lower.\n",
    ],
    [
      "Teams",
      "0:0:5.1 --> 0:0:9.0\nAda Byron\nWe chose you.\n0:0:12.0 --> 0:0:14.0\nBen Smith\nWhy not them?\n0:1:10.0 --> 0:1:12.0\nAda Byron\nThe price was lower.\n",
    ],
    [
      "brackets",
      "[00:00:05] Ada Byron: We chose you.\n[00:00:12] Ben Smith: Why not them?\nAda Byron (01:10): The price was lower.\n",
    ],
    [
      "Google Meet",
      "00:00:05\n\nAda Byron: We chose you.\n\n00:00:12\n\nBen Smith: Why not them?\n\n00:01:10\n\nAda Byron: The price was lower.\n",
    ],
  ])("of %s are turns with speakers and times", (_, text) => {
    assert.deepStrictEqual(txt(text), EXPECTED)
  })

  it("keep what stands before the first turn, and several paragraphs of a turn", () => {
    const text =
      "Call with Harbor\nMay 5\n\nAda Byron  0:05\nOne.\n\nTwo.\n\nBen Smith  0:12\nThree.\n\nAda Byron  0:20\nFour.\n"
    assert.deepStrictEqual(txt(text).slice(0, 4), [
      "heading Call with Harbor",
      "paragraph May 5",
      "speech 5-12 [Ada Byron] One.",
      "speech 5-12 [Ada Byron] Two.",
    ])
  })

  it("have their title as a heading, and no list of speakers as words of the call", () => {
    const text =
      "Harbor pricing\nFri, May 5, 2026 10:00AM • 45:32\n\nSPEAKERS\nAda Byron, Ben Smith\n\nAttendees: Ben Smith and Ada Byron\n\nAda Byron  0:05\nOne.\n\nBen Smith  0:12\nTwo.\n\nAda Byron  0:20\nThree.\n"
    assert.deepStrictEqual(txt(text).slice(0, 3), [
      "heading Harbor pricing",
      "paragraph Fri, May 5, 2026 10:00AM • 45:32",
      "speech 5-12 [Ada Byron] One.",
    ])
  })

  it("without times have speakers alone", () => {
    const text = "Ada Byron: One.\nBen: Two.\nAda Byron: Three.\nBen: Four.\nAda Byron: Five.\nBen: Six.\n"
    assert.deepStrictEqual(txt(text).slice(0, 2), ["speech [Ada Byron] One.", "speech [Ben] Two."])
  })

  it("in Word documents are the same", async () => {
    const paragraphs = [
      "Ada Byron   0:05",
      "We chose you.",
      "Ben Smith   0:12",
      "Why not them?",
      "Ada Byron   1:10",
      "The price was lower.",
    ]
    assert.deepStrictEqual(linesOf(await readDocx(docx(paragraphs.map((text) => paragraph(text)).join("")))), EXPECTED)
  })

  it.each([
    "Agenda\n\n9:00 Welcome\n10:30 Pricing with Bob\n11:00 Lunch\n",
    "Title: Renewal\nDate: Monday\nParticipants: Ada, Ben\nNotes: none\nPrice: 40\nStatus: open\nTotal: 4\n",
    "Risk: high\nOwner: Ann\nBudget: 40\nStage: Won\nNext: call\nRegion: EMEA\nSeats: 9\n",
    "We met at 10:30. Ada said: fine.\n\nThen we left at 11:00.\n",
    "Store hours\nMonday 9:00\nTuesday 9:00\nWednesday 9:00\n",
  ])("are not seen in other texts: %j", (text) => {
    for (const line of txt(text)) assert.match(line, /^paragraph /)
  })
})

describe("transcripts as JSON", () => {
  const seconds = [
    { text: "We chose you.", speaker: "Ada Byron", start: 5, end: 12 },
    { text: "Why not them?", speaker: "Ben Smith", start: 12, end: 70 },
    { text: "The price was lower.", speaker: "Ada Byron", start: 70, end: 70 },
  ]

  it("of each recorder are turns with speakers and times", () => {
    const clock = (at: number) =>
      `00:${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}.0`
    const day = (at: number) => new Date(Date.UTC(2026, 4, 5, 10, 0, at - 5)).toISOString()
    for (const export_ of [
      {
        sentences: seconds.map(({ text, speaker, start, end }) => ({
          text,
          speaker_name: speaker,
          start_time: start,
          end_time: end,
        })),
      },
      seconds.map(({ text, speaker, start, end }) => ({
        sentence: text,
        speaker_name: speaker,
        startTime: clock(start),
        endTime: clock(end),
      })),
      {
        entries: seconds.map(({ text, speaker, start, end }) => ({
          text,
          speakerDisplayName: speaker,
          startOffset: clock(start),
          endOffset: clock(end),
        })),
      },
      {
        utterances: seconds.map(({ text, speaker, start, end }) => ({
          text,
          speaker,
          start: start * 1000,
          end: end * 1000,
        })),
      },
      {
        callTranscripts: [
          {
            parties: [
              { speakerId: "1", name: "Ada Byron" },
              { speakerId: "2", name: "Ben Smith" },
            ],
            transcript: seconds.map(({ text, speaker, start, end }) => ({
              speakerId: speaker === "Ada Byron" ? "1" : "2",
              sentences: [{ start: start * 1000, end: end * 1000, text }],
            })),
          },
        ],
      },
    ]) {
      assert.deepStrictEqual(json(export_), EXPECTED, JSON.stringify(export_).slice(0, 60))
    }
    const meet = {
      transcriptEntries: seconds.map(({ text, speaker, start, end }) => ({
        text,
        participant: speaker,
        startTime: day(start),
        endTime: day(end),
      })),
    }
    assert.deepStrictEqual(json(meet)[1], "speech 7-65 [Ben Smith] Why not them?")
    assert.deepStrictEqual(json({ segments: [{ text: "Hi", start: 1, end: 2 }] }), ["speech 1-2 Hi"])
  })

  it("of other shapes are refused with advice", async () => {
    for (const value of [
      {},
      [],
      4,
      null,
      { deals: [{ name: "x" }] },
      { sentences: "no" },
      { sentences: [{ text: 4, start_time: 1 }] },
    ]) {
      const { code, reason } = await codeOf(() => readJson(utf8(JSON.stringify(value))))
      assert.strictEqual(code, "unsupported")
      assert.match(reason, /Gong, Fireflies, .* Export it as VTT, DOCX or TXT/)
    }
  })

  it("that are hostile end in typed errors", async () => {
    assert.strictEqual((await codeOf(() => readJson(utf8("[".repeat(2_000_000))))).code, "damaged")
    assert.strictEqual((await codeOf(() => readJson(utf8('{"sentences":[{"text":"a')))).code, "damaged")
    assert.strictEqual(
      (await codeOf(() => readJson(utf8(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)))).code,
      "unsupported",
    )
    const turn = (start: unknown) => ({ text: "x", speaker_name: "__proto__", start_time: start })
    assert.deepStrictEqual(json({ sentences: [turn(-5), turn("x"), turn(1e300)] })[0], "speech [__proto__] x")
    const long = { text: "x".repeat(1_000_000), speaker_name: "A", start_time: 0 }
    const many = { sentences: Array.from({ length: 21 }, () => long) }
    assert.strictEqual((await codeOf(() => readJson(utf8(JSON.stringify(many))))).code, "too-large")
  })
})
