import type { QuestionReader } from "../../QuestionReader.ts"
import type { Unknown } from "../names/foundNames.ts"

const RIVALRY: ReadonlySet<string> = new Set(["to", "against", "versus", "vs", "over", "with", "beat"])
const PLACE: ReadonlySet<string> = new Set(["in", "within", "across", "from"])
const OWNERSHIP: ReadonlySet<string> = new Set(["does", "do", "did", "has", "owner", "by"])

/** "Because of the terms", "how much did we lose to Orvanta on price". */
const BECAUSE =
  /(?<!\p{L})(?:because of|due to|thanks to|on account of|(?:los[et]|losing|w[io]n|winning)(?: (?:deals?|against|to|the|most|more|\p{L}+)){0,4} on)(?: (?:the|our|their))? $/u

const TO_NAME = String.raw`(?=(?:\s+(?:in|on|from|with|at|by|to|against|for|the|an?|our))*\s*\|)`
const AT_END = String.raw`(?=(?:\s+(?:in|with))?[\s?.!]*$)`
/** Verbs that join deals to what the question names. Before a word that nothing reads, each says more than that. */
const JOINS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:among(?:st)?(?=\s*\|)|(?:sits?|sitting|stuck)(?=\s+(?:in|on|at|with))|involv(?:es?|ed|ing)|featuring|depend(?:s|ing)?|hing(?:es?|ing)|c[oa]mes?|belongs?|needs?|requires?)${TO_NAME}|(?:own(?:s|ed)?|meet|met|fac(?:es?|ed|ing)|encounter|compet(?:e|es|ed|ing)|sell)(?:${TO_NAME}|${AT_END}))`,
  "u",
)

/** Takes the verbs between what was read. */
export const takeJoins = (reader: QuestionReader): void => {
  if (reader.text.includes("|")) while (reader.take(JOINS) !== undefined);
}

/** The unread words, adjacent ones as one part, with what the words around them say that they are. */
export const describeUnread = (reader: QuestionReader): ReadonlyArray<Unknown> => {
  const runs: Array<{ said: string; start: number; end: number; before: string }> = []
  for (const { start, end, before } of reader.unread()) {
    const last = runs.at(-1)
    if (last !== undefined && start - last.end === 1) {
      last.end = end
      last.said = reader.original.slice(last.start, end)
    } else {
      runs.push({ said: reader.original.slice(start, end), start, end, before })
    }
  }
  const owning = /(?<!\p{L})(?:own(?:s|ed)?|close[ds]?|sold|sell)(?!\p{L})/u.test(reader.original.toLowerCase())
  return runs.map(({ said, before, start }) => ({
    said: said.replace(/'s$/, ""),
    as: BECAUSE.test(reader.original.slice(0, start).toLowerCase())
      ? "reason"
      : owning && OWNERSHIP.has(before)
        ? "owner"
        : RIVALRY.has(before)
          ? "competitor"
          : PLACE.has(before) || said === "US"
            ? "place"
            : "other",
  }))
}
