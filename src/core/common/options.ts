import { isRecord } from "./isRecord.ts"
import { nearest } from "./nearest.ts"
import { shorten } from "./shorten.ts"

/** Says what an option must be, as the rest of a sentence: one or several, or nothing if it is good. */
export type Check = (value: unknown) => string | ReadonlyArray<string> | undefined

/** A check for each option of `O`. */
export type Checks<O> = { readonly [Name in keyof O]-?: Check }

export interface OptionProblem {
  readonly option: string
  readonly reason: string
}

/** Lists the problems of options: types do not hold for a host in JavaScript. An option that is undefined is good, unless it is required. */
export const problemsOfOptions = (
  checks: Readonly<Record<string, Check>>,
  given: unknown,
  required: ReadonlyArray<string> = [],
): ReadonlyArray<OptionProblem> => {
  const values = isRecord(given) ? given : {}
  const missing = required.filter((name) => values[name] === undefined)
  const named = Object.keys(values).filter((name) => values[name] !== undefined)
  return [...named, ...missing].flatMap((option) =>
    listOf(Object.hasOwn(checks, option) ? checks[option]?.(values[option]) : explainUnknown(option, checks)).map(
      (reason) => ({ option, reason }),
    ),
  )
}

const listOf = (reasons: ReturnType<Check>) =>
  reasons === undefined ? [] : typeof reasons === "string" ? [reasons] : reasons

const explainUnknown = (option: string, checks: object) => {
  const names = Object.keys(checks)
  const [best] = nearest(option, names)
  return best === undefined
    ? `is no option; the options are ${names.join(", ")}`
    : `is no option. Did you mean \`${best}\`?`
}

/** Joins problems to one message. `owner` is the function that takes the options, if not `open`. */
export const sentenceOf = (problems: ReadonlyArray<OptionProblem>, owner?: string): string =>
  (owner === undefined ? "" : `${owner}: `) + problems.map(({ option, reason }) => `\`${option}\` ${reason}`).join("; ")

/** A value as a message shows it. An object may hold a secret, so it is only named. */
export const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(shorten(value))
  if (typeof value === "function") return "a function"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

/** A value where a text may hold a secret, such as the address of a database, which is only named. */
export const shownSecret = (value: unknown): string => (typeof value === "string" ? "a text" : shown(value))

/** A check whose message repeats the value, for options without secrets. */
export const check =
  (isGood: (value: unknown) => boolean, reason: string): Check =>
  (value) =>
    isGood(value) ? undefined : `${reason}, not ${shown(value)}`

export const integer = (min: number, max = Infinity): Check =>
  check(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    max === Infinity ? `must be a whole number from ${min}` : `must be a whole number from ${min} to ${max}`,
  )

export const seconds: Check = check(
  (value) => Number.isFinite(value) && Number(value) >= 0,
  "must be a number of seconds, 0 or more",
)

export const flag: Check = check((value) => typeof value === "boolean", "must be true or false")

export const text = (what: string): Check =>
  check((value) => typeof value === "string" && value !== "", `must be ${what}`)

export const callable = (what: string): Check => check((value) => typeof value === "function", `must be ${what}`)
