import { assert, describe, it } from "@effect/vitest"
import { readJson } from "../../../src/ingest/transcripts/readJson.ts"
import { readText } from "../../../src/ingest/formats/text/readText.ts"

const read = (text: string, format: "txt" | "md" = "txt") =>
  readText(new TextEncoder().encode(text), format).elements.map(({ kind, text, place }) => {
    const start = place.kind === "time" ? place.start : ""
    return `${kind} ${start} [${"speaker" in place ? place.speaker : ""}] ${text}`
  })

const WORDS = ["We chose you.", "Why not them?", "The price was lower.", "Fair enough."]
const TIMES = ["00:00:05", "00:00:12", "00:01:10", "00:01:20"]
const SECONDS = [5, 12, 70, 80]

/** A text of four turns of two speakers. */
const write = (
  turn: (name: string, time: string, words: string, next: string) => string,
  names: ReadonlyArray<string>,
) => WORDS.map((words, at) => turn(names[at % 2]!, TIMES[at]!, words, TIMES[at + 1] ?? TIMES[at]!)).join("\n\n")

const expected = (names: ReadonlyArray<string>) =>
  WORDS.map((words, at) => `speech ${SECONDS[at]} [${names[at % 2]}] ${words}`)

const LATIN = ["Ada Byron", "Ben Smith"]

describe("turns in JSON", () => {
  const json = (value: unknown) =>
    readJson(new TextEncoder().encode(JSON.stringify(value))).elements.map(({ text, place }) => [
      place.kind === "time" ? place.start : undefined,
      "speaker" in place ? place.speaker : undefined,
      text,
    ])
  const EXPECTED = [0, 1, 2].map((at) => [SECONDS[at], LATIN[at % 2], WORDS[at]])

  it("may be sentences of paragraphs (Deepgram) or segments of a speaker (Amazon Transcribe)", () => {
    const paragraphs = [0, 1, 2].map((at) => ({
      speaker: at % 2,
      sentences: [{ text: WORDS[at], start: SECONDS[at], end: SECONDS[at] }],
    }))
    const deepgram = { results: { channels: [{ alternatives: [{ transcript: "x", paragraphs: { paragraphs } }] }] } }
    assert.deepStrictEqual(json(deepgram)[1], [12, "Speaker 1", WORDS[1]])
    const segments = [0, 1].map((at) => ({
      transcript: WORDS[at],
      speaker_label: `spk_${at}`,
      start_time: `${SECONDS[at]}.5`,
      end_time: "99.0",
    }))
    assert.deepStrictEqual(json({ results: { audio_segments: segments } })[1], [12.5, "spk_1", WORDS[1]])
  })

  it("may be a list of texts with speakers, of which only clock times are times", () => {
    const list = (turn: (at: number) => object) => [0, 1, 2].map(turn)
    assert.deepStrictEqual(
      json(list((at) => ({ speaker: LATIN[at % 2], text: WORDS[at], timestamp: TIMES[at] }))),
      EXPECTED,
    )
    assert.deepStrictEqual(
      json({ transcript: list((at) => ({ name: LATIN[at % 2], content: WORDS[at], time: TIMES[at] })) }),
      EXPECTED,
    )
    const unknown = list((at) => ({ speaker: LATIN[at % 2], text: WORDS[at], start: 5000 + at }))
    assert.deepStrictEqual(json(unknown)[0], [undefined, LATIN[0], WORDS[0]])
    const products = list((at) => ({ name: `Plan ${at}`, content: "Text." }))
    assert.throws(() => json(products), /with `speaker`, `text` and a `start` such as "00:01:05"/)
  })
})

describe("the lines that begin turns", () => {
  it.each<[string, Parameters<typeof write>[0], ReadonlyArray<string>?]>([
    ["a name in brackets", (name, time, words) => `[${name}] ${time}\n${words}`],
    ["a name in brackets on the line of the words", (name, time, words) => `[${name}] ${time} ${words}`],
    ["a dash", (name, time, words) => `${name} - ${time}\n${words}`],
    ["an at sign", (name, time, words) => `${name} @ ${time}\n${words}`],
    ["a colon before the time", (name, time, words) => `${name}: (${time})\n${words}`],
    ["a colon and the words behind the time", (name, time, words) => `${name}: [${time}] ${words}`],
    ["a time on a line of its own", (name, time, words) => `${time}\n${name}\n${words}`],
    ["a name on a line of its own", (name, time, words) => `${name}\n${time}\n${words}`],
    ["a range above the name", (name, time, words, next) => `${time} - ${next}\n${name}\n${words}`],
    ["a range before the name", (name, time, words, next) => `[${time} - ${next}] ${name}: ${words}`],
    ["a range behind the name", (name, time, words, next) => `${name} ${time} --> ${next}\n${words}`],
    ["columns", (name, time, words) => `${time}\t${name}\t${words}`],
    ["Chinese and Arabic names", (name, time, words) => `${name}  ${time}\n${words}`, ["田中太郎", "أحمد علي"]],
    ["addresses", (name, time, words) => `${name}  ${time}\n${words}`, ["ada@example.com", "ben@us.example"]],
    ["names in lower case", (name, time, words) => `${name}  ${time}\n${words}`, ["ada byron", "ben"]],
    ["initials", (name, time, words) => `[${time}] ${name}: ${words}`, ["AB", "BS"]],
  ])("have %s", (_, turn, names = LATIN) => {
    assert.deepStrictEqual(read(write(turn, names)), expected(names))
  })

  it("have times of day", () => {
    const text = "Ada Byron, 11:59 AM\nOne.\n\nBen Smith, 12:05 PM\nTwo.\n\nAda Byron, 1:00 PM\nThree.\n"
    assert.deepStrictEqual(read(text), [
      "speech 43140 [Ada Byron] One.",
      "speech 43500 [Ben Smith] Two.",
      "speech 46800 [Ada Byron] Three.",
    ])
  })

  it("are names with a colon alone, above the words of turns without times", () => {
    const text = [0, 1, 2, 3, 4, 5].map((at) => `${LATIN[at % 2]}:\nWords ${at}.`).join("\n\n")
    assert.deepStrictEqual(read(text).slice(0, 2), ["speech  [Ada Byron] Words 0.", "speech  [Ben Smith] Words 1."])
  })

  it("are found in Markdown, whose headings stay", () => {
    const turns = write((name, time, words) => `**${name}** (${time}): ${words}`, LATIN)
    const text = `# Call\n\n## Summary\n\n- They chose us.\n\n## Transcript\n\n${turns}\n\n## Next steps\n\nSend the offer.\n`
    assert.deepStrictEqual(read(text, "md"), [
      "heading  [] Call",
      "heading  [] Summary",
      "list-item  [] They chose us.",
      "heading  [] Transcript",
      ...expected(LATIN),
      "heading  [] Next steps",
      "paragraph  [] Send the offer.",
    ])
  })

  it("are neither dates above the first turn nor words before a time of day", () => {
    const text = `Recorded on January 5, 2026, 9:00AM\nStart: 10:00\n\n${write((name, time, words) => `${name}  ${time}\n${words}`, LATIN)}\nsee you at 00:01:30\n`
    assert.deepStrictEqual(read(text), [
      "heading  [] Recorded on January 5, 2026, 9:00AM",
      "paragraph  [] Start: 10:00",
      ...expected(LATIN),
      "speech 80 [Ben Smith] see you at 00:01:30",
    ])
    const chat = "Ada  0:05\nWe met at 10:30.\nSee you at 11:00\n\nBen  0:12\nOk, 12:30\n\nAda  1:10\nBye.\n"
    assert.deepStrictEqual(read(chat), [
      "speech 5 [Ada] We met at 10:30.",
      "speech 5 [Ada] See you at 11:00",
      "speech 12 [Ben] Ok, 12:30",
      "speech 70 [Ada] Bye.",
    ])
    const agenda = "10:00 Kickoff\nThe team.\n10:30 Demo\nThe product.\n11:00 Lunch\nIn the hall.\n"
    assert.deepStrictEqual(read(agenda).length, 1)
  })
})
