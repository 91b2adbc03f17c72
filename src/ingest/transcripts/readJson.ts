import { type Element, LIMITS, type ReadDocument } from "../document.ts"
import { elementList, requireText } from "../elements.ts"
import { decode } from "../encodings/decode.ts"
import { UnreadableError } from "../UnreadableError.ts"

type Json = Readonly<Record<string, unknown>>

/** How a recorder writes its turns: where they are, and the names of their fields. */
interface Shape {
  readonly name: string
  /** The path of the turns from the root. */
  readonly path: ReadonlyArray<string>
  readonly text: string
  readonly speaker: string
  readonly start: string
  readonly end: string
  /** Seconds in one unit of a number. Texts are times of day or clock times. */
  readonly unit: number
}

const SHAPES: ReadonlyArray<Shape> = [
  ...[["sentences"], ["transcript", "sentences"], ["data", "transcript", "sentences"]].flatMap(
    (path): ReadonlyArray<Shape> => [
      { name: "Fireflies", path, text: "text", speaker: "speaker_name", start: "start_time", end: "end_time", unit: 1 },
      {
        name: "Fireflies",
        path,
        text: "sentence",
        speaker: "speaker_name",
        start: "startTime",
        end: "endTime",
        unit: 1,
      },
    ],
  ),
  {
    name: "Fireflies",
    path: [],
    text: "sentence",
    speaker: "speaker_name",
    start: "startTime",
    end: "endTime",
    unit: 1,
  },
  {
    name: "Teams",
    path: ["entries"],
    text: "text",
    speaker: "speakerDisplayName",
    start: "startOffset",
    end: "endOffset",
    unit: 1,
  },
  {
    name: "Google Meet",
    path: ["transcriptEntries"],
    text: "text",
    speaker: "participant",
    start: "startTime",
    end: "endTime",
    unit: 1,
  },
  {
    name: "Otter",
    path: ["speech", "transcripts"],
    text: "transcript",
    speaker: "speaker_name",
    start: "start_offset",
    end: "end_offset",
    unit: 1 / 16_000,
  },
  {
    name: "AssemblyAI",
    path: ["utterances"],
    text: "text",
    speaker: "speaker",
    start: "start",
    end: "end",
    unit: 1e-3,
  },
  {
    name: "Deepgram",
    path: ["results", "utterances"],
    text: "transcript",
    speaker: "speaker",
    start: "start",
    end: "end",
    unit: 1,
  },
  {
    name: "Amazon Transcribe",
    path: ["results", "audio_segments"],
    text: "transcript",
    speaker: "speaker_label",
    start: "start_time",
    end: "end_time",
    unit: 1,
  },
  { name: "Whisper", path: ["segments"], text: "text", speaker: "speaker", start: "start", end: "end", unit: 1 },
]

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const at = (root: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, name) => (isObject(value) ? value[name] : Array.isArray(value) ? value[Number(name)] : undefined),
    root,
  )

/** A clock time ("00:01:02.5"), an instant, or a number. */
const parseTime = (value: unknown, unit: number): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value * unit : undefined
  if (typeof value !== "string") return undefined
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Number(value) * unit
  const clock = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(value)
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  const instant = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1000 : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

interface Turn {
  readonly text: string
  readonly speaker: string | undefined
  readonly start: number | undefined
  readonly end: number | undefined
}

const labelOf = (speaker: unknown): string | undefined => {
  if (typeof speaker === "number") return `Speaker ${speaker}`
  if (typeof speaker !== "string" || speaker.trim() === "") return undefined
  return /^[A-Z]$/.test(speaker) ? `Speaker ${speaker}` : speaker.trim()
}

const readTurns = (root: unknown, { path, text, speaker, start, end, unit }: Shape): ReadonlyArray<Turn> => {
  const found = at(root, path)
  if (!Array.isArray(found)) return []
  return found.flatMap((turn: unknown) => {
    if (!isObject(turn) || typeof turn[text] !== "string" || turn[start] === undefined) return []
    return [
      {
        text: turn[text],
        speaker: labelOf(turn[speaker]),
        start: parseTime(turn[start], unit),
        end: parseTime(turn[end], unit),
      },
    ]
  })
}

/** Gong has sentences inside turns, in milliseconds, and speakers by id, whose names another part of the export has. */
const gongTurns = (root: unknown): ReadonlyArray<Turn> => {
  const calls = at(root, ["callTranscripts"])
  if (!isObject(root) || !Array.isArray(calls)) return []
  const names = new Map(
    [root, ...calls].flatMap((each: unknown) => {
      const parties = isObject(each) ? each["parties"] : undefined
      return (Array.isArray(parties) ? parties : []).flatMap((party: unknown) =>
        isObject(party) && typeof party["name"] === "string"
          ? [[String(party["speakerId"]), party["name"]] as const]
          : [],
      )
    }),
  )
  return calls.flatMap((call: unknown) => {
    const monologues = isObject(call) ? call["transcript"] : undefined
    return (Array.isArray(monologues) ? monologues : []).flatMap((monologue: unknown) => {
      if (!isObject(monologue)) return []
      const id = String(monologue["speakerId"] ?? "")
      const shape = {
        name: "Gong",
        path: ["sentences"],
        text: "text",
        speaker: "",
        start: "start",
        end: "end",
        unit: 1e-3,
      }
      return readTurns(monologue, shape).map((turn) => ({ ...turn, speaker: names.get(id) ?? labelOf(id) }))
    })
  })
}

/** Deepgram has sentences inside paragraphs, each of a speaker. */
const deepgramTurns = (root: unknown): ReadonlyArray<Turn> => {
  const found = at(root, ["results", "channels", "0", "alternatives", "0", "paragraphs", "paragraphs"])
  const shape = {
    name: "Deepgram",
    path: ["sentences"],
    text: "text",
    speaker: "",
    start: "start",
    end: "end",
    unit: 1,
  }
  return (Array.isArray(found) ? found : []).flatMap((paragraph: unknown) =>
    readTurns(paragraph, shape).map((turn) => ({ ...turn, speaker: labelOf(at(paragraph, ["speaker"])) })),
  )
}

/** The fields of turns that no known recorder writes, by the names that their exports give them. */
const FIELDS = {
  text: ["text", "transcript", "sentence", "content", "message"],
  speaker: ["speaker", "speaker_name", "speakerName", "participant"],
  /** Names of other things, too, unless a clock time is beside them. */
  name: ["name", "user"],
  start: ["start", "start_time", "startTime", "timestamp", "time", "offset"],
  end: ["end", "end_time", "endTime"],
} as const
const MIN_OTHER = 3

const clockOf = (value: unknown) => (typeof value === "string" && value.includes(":") ? parseTime(value, 1) : undefined)

/** The turns of another recorder: a list of texts with speakers. A number as a time has no unit, so that only clock times are times. */
const otherTurns = (root: unknown): ReadonlyArray<Turn> => {
  const lists = [
    root,
    ...["transcript", "segments", "entries", "utterances", "turns", "data"].map((name) => at(root, [name])),
  ]
  const list = lists.find((each) => Array.isArray(each) && each.length >= MIN_OTHER)
  const turns = ((list as ReadonlyArray<unknown> | undefined) ?? []).flatMap((turn): ReadonlyArray<Turn> => {
    const field = (names: ReadonlyArray<string>) =>
      names.map((name) => at(turn, [name])).find((value) => typeof value === "string" && value !== "")
    const text = field(FIELDS.text)
    const start = clockOf(field(FIELDS.start))
    const speaker = labelOf(field(FIELDS.speaker) ?? (start === undefined ? undefined : field(FIELDS.name)))
    if (typeof text !== "string" || speaker === undefined) return []
    return [{ text, speaker, start, end: clockOf(field(FIELDS.end)) }]
  })
  return turns.length === (list as ReadonlyArray<unknown> | undefined)?.length ? turns : []
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableError("damaged", "The file is not valid JSON. Export it again and upload the copy.")
  }
}

const NAMES = ["Gong", ...new Set(SHAPES.map(({ name }) => name))].join(", ")

/** Instants count from the first one. */
const SECONDS_OF_A_YEAR = 3e7

/** Reads the transcript of a meeting as a recorder exports it. Throws `UnreadableError`. */
export const readJson = (bytes: Uint8Array): ReadDocument => {
  const { text, warnings } = decode(bytes)
  if (text.length > LIMITS.characters * 4)
    throw new UnreadableError("too-large", "The file holds more text than can be read. Split it into smaller files.")
  const root = parse(text)
  const readers = [
    gongTurns,
    ...SHAPES.map((shape) => (root: unknown) => readTurns(root, shape)),
    deepgramTurns,
    otherTurns,
  ]
  const turns = readers.map((read) => read(root)).find((found) => found.length > 0) ?? []
  if (turns.length === 0) {
    throw new UnreadableError(
      "unsupported",
      `The JSON is no transcript in a shape that is read (${NAMES}). Export it as VTT, DOCX or TXT and upload that, or write a list of objects with \`speaker\`, \`text\` and a \`start\` such as "00:01:05".`,
    )
  }
  const first = turns.find(({ start }) => start !== undefined)?.start ?? 0
  const zero = first > SECONDS_OF_A_YEAR ? first : 0
  const elements = elementList()
  for (const { text, speaker, start, end } of turns) {
    const from = start === undefined ? undefined : Math.max(0, start - zero)
    const place: Element["place"] =
      from === undefined
        ? { kind: "text", speaker }
        : {
            kind: "time",
            start: from,
            end: Math.max(from, (end ?? start ?? 0) - zero),
            ...(speaker !== undefined && { speaker }),
          }
    elements.add("speech", text, place)
  }
  return requireText(elements, warnings)
}
