/** The line that begins a turn: a speaker, and the words if they follow on the same line. */
export interface Head {
  readonly speaker: string
  readonly start: number
  readonly words?: string | undefined
}

/** A name in any script, or an address. */
const NAME = String.raw`([\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’()&@/_+-]{0,70}?)`
const CLOCK = String.raw`(?:\d{1,2}:\d{1,2}:\d{1,2}|\d{1,2}:\d{2})(?:[.,]\d{1,7})?(?:\s?[AP]M)?`
/** A time, or the first of two: "0:05", "[00:00:05.120 --> 00:00:09]", "10:05 AM". */
const TIME = String.raw`[[(]?(${CLOCK})(?:\s*(?:-->|[–—-])\s*${CLOCK})?[\])]?`
/** Between a name and a time. */
const BETWEEN = String.raw`(?:\s*[|@–—,-]\s*|\s*:?\s+)`
const pattern = (source: string) => new RegExp(`^${source}$`, "iu")

interface Shape {
  readonly pattern: RegExp
  /** The groups of the pattern. */
  readonly time: 1 | 2
}

const NAME_FIRST = { time: 2 } as const
const TIME_FIRST = { time: 1 } as const

/** The first one that matches decides. */
const SHAPES: ReadonlyArray<Shape> = [
  /** "00:00:05 Ada Byron: words" (Zoom), "[00:05 - 00:09] Ada Byron: words". */
  { ...TIME_FIRST, pattern: pattern(String.raw`${TIME}(?:\s*[|–—-]\s*|\s+)${NAME}:\s+(\S.*)`) },
  /** "Ada Byron (00:05): words". */
  { ...NAME_FIRST, pattern: pattern(String.raw`${NAME}\s*[[(](${CLOCK})[\])]\s*:?\s+(\S.*)`) },
  /** "Ada Byron: [00:05] words". */
  { ...NAME_FIRST, pattern: pattern(String.raw`${NAME}:\s*[[(](${CLOCK})[\])]\s*(\S.*)`) },
  /** "[Ada Byron] 10:00:05" (Zoom), and the words may follow. */
  { ...NAME_FIRST, pattern: pattern(String.raw`\[${NAME}\]\s*${TIME}(?:\s+(\S.*))?`) },
  /** "Ada Byron  0:05" (Otter, Teams), "Ada Byron | 00:05" (Fireflies), "Ada Byron: (0:05)". */
  { ...NAME_FIRST, pattern: pattern(String.raw`${NAME}${BETWEEN}${TIME}:?`) },
  /** "00:05 | Ada Byron" (Gong), "[00:00:05] Ada Byron". */
  { ...TIME_FIRST, pattern: pattern(String.raw`${TIME}(?:\s*[|–—-]\s*|\s+)${NAME}:?`) },
]

/** Words before a colon that are no names. */
const NO_NAME =
  /^(?:(?:date|time|title|subject|duration|attendees|participants|agenda|notes?|summary|action items?|next steps?|from|to|cc|re|fwd?|location|topic|total|price|status|example|question|answer)\b.{0,30}|https?|\d[\d\s.,]*|.*\b(?:19|20)\d\d)$/i
/** Words before a time of day. */
const NO_END = /\s(?:at|by|to|until|till|from|before|after|around|about|um|bis|ab|vor|nach|gegen|von|à|las)$/
const MAX_NAME_WORDS = 6
/** Names that begin in lower case are shorter: other words may stand before a time. */
const MAX_LOWER_WORDS = 3

export const isName = (name: string): boolean => {
  const words = name.trim().split(/\s+/).length
  return (
    !NO_NAME.test(name) && !NO_END.test(name) && words <= (/^\p{Ll}/u.test(name) ? MAX_LOWER_WORDS : MAX_NAME_WORDS)
  )
}

/** "1:02:05.5", or a time of day: "10:05 PM". */
export const parseSeconds = (time: string): number => {
  const half = /\s?([AP])M$/i.exec(time)
  const parts = time
    .replace(/[.,].*|\s?[AP]M$/gi, "")
    .split(":")
    .map(Number)
  if (half === null) return parts.reduce((sum, part) => sum * 60 + part, 0)
  const [hours = 0, minutes = 0, seconds = 0] = parts
  return ((hours % 12) + (half[1]!.toUpperCase() === "P" ? 12 : 0)) * 3600 + minutes * 60 + seconds
}

/** Reads a line that begins a turn at a time. */
export const readHead = (line: string): Head | undefined => {
  for (const { pattern, time } of SHAPES) {
    const match = pattern.exec(line)
    const name = match?.[time === 1 ? 2 : 1]?.replace(/^-\s+|(?<![\s:,|-])[\s:,|-]+$/g, "")
    if (match === null || name === undefined || !isName(name)) continue
    return { speaker: name, start: parseSeconds(match[time]!), words: match[3] }
  }
  return undefined
}

const ALONE = pattern(TIME)

/** The seconds of a line that is only a time, or two. */
export const readTimeAlone = (line: string): number | undefined => {
  const time = ALONE.exec(line)?.[1]
  return time === undefined ? undefined : parseSeconds(time)
}

/** "Ada Byron: words". */
const NAME_WORDS = /^(\p{Lu}[\p{L}\p{M}\p{N} .,'’()&@/_-]{0,70}|\p{Lo}[\p{L}\p{M}\p{N} .,'’()&@/_-]{0,70}):\s+(\S.*)$/u
const NAME_ALONE = /^([\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’()&@/_+-]{0,70}):?$/u
const NAME_COLON = /^([\p{Lu}\p{Lo}][\p{L}\p{M}\p{N} .,'’()&@/_-]{0,70}):$/u

const nameOf = (found: RegExpExecArray | null) =>
  found !== null && isName(found[1]!) ? { speaker: found[1]!.trim(), words: found[2] } : undefined

export const readNameWords = (line: string) => nameOf(NAME_WORDS.exec(line))
export const readNameAlone = (line: string) => nameOf(NAME_ALONE.exec(line))
/** "Ada Byron:", whose words follow. */
export const readNameColon = (line: string) => nameOf(NAME_COLON.exec(line))
