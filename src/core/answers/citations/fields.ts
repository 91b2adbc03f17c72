import { CLAIM_STOP_WORDS } from "../words.ts"
import { matches, type Value } from "./values.ts"
import { actsAlike } from "./direction.ts"
import { clausesOf } from "./facts.ts"
import { type Profile, profileOf } from "./profile.ts"
import { canonical, contradicts, isCommon, PERIODS } from "./vocabulary.ts"

/** A fact of the evidence, prepared for comparing. */
export interface Field {
  readonly own: Profile
  readonly context: Profile
  /** The words of both. */
  readonly words: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /** The names that tell it from other fields. */
  readonly subjects: ReadonlyArray<string>
}

export const fieldOf = (own: Profile, context: Profile, subject: Profile): Field => ({
  own,
  context,
  words: new Set([
    ...own.stems,
    ...own.light,
    ...context.stems,
    ...context.light,
    ...(WE.test(own.text) ? ["we"] : []),
  ]),
  names: new Set([...own.capitals.keys(), ...context.capitals.keys()]),
  subjects: [...own.capitalised, ...subject.capitalised].filter(
    (word) => !CLAIM_STOP_WORDS.has(word) && !isCommon(canonical(word)),
  ),
})

const WE = /\b(?:we|our|us|wir|unser\w*|uns)\b/i

/** A clause that has no single field with this share of its words mixes fields. */
const MIN_IN_ONE_FIELD = 0.8

/** Whether each value and name of the claim belongs to the field that the claim puts it in. */
export const isInPlace = (claim: Profile, fields: ReadonlyArray<Field>, labels: Profile): boolean => {
  const clauses = clausesOf(claim.text, 0, claim.text.length).map(({ start, end }) =>
    profileOf(claim.text.slice(start, end)),
  )
  const all = new Set(fields.flatMap(({ words }) => [...words]))
  if (contradicts(claim.stems, all)) return false
  if (!fields.every(({ own }) => actsAlike(claim.text, own.text))) return false
  let subject: ReadonlyArray<string> = []
  return clauses.every((clause) => {
    const own = namesIn(clause, labels)
    const names = own.length > 0 ? own : subject
    if (own.length > 0) subject = own
    return isClauseInPlace(clause, names, fields, labels)
  })
}

const namesIn = ({ names, openers, capitals }: Profile, labels: Profile): ReadonlyArray<string> => [
  ...new Set(
    [...names.keys(), ...[...capitals.keys()].filter((word) => openers.has(canonical(word)))].filter(
      (name) => !labels.capitals.has(name) && !labels.stems.has(canonical(name)),
    ),
  ),
]

const isClauseInPlace = (
  clause: Profile,
  names: ReadonlyArray<string>,
  fields: ReadonlyArray<Field>,
  labels: Profile,
): boolean => {
  const implied = [
    ...(WE.test(clause.text) ? ["we"] : []),
    // A deal is won or lost on its close date.
    ...(["won", "lost"].some((outcome) => clause.stems.has(outcome)) ? ["close"] : []),
  ]
  const words = [...new Set([...clause.stems, ...clause.light, ...implied])].filter(
    (word) =>
      !(labels.stems.has(word) && isCapitalised(clause, word)) && !names.some((name) => canonical(name) === word),
  )
  const weights = new Map(
    words.map((word) => {
      const times = fields.filter((field) => field.words.has(word)).length
      return [word, times === 0 ? 0 : Math.log(1 + fields.length / times) * (clause.light.has(word) ? LIGHT_WEIGHT : 1)]
    }),
  )
  const score = (field: Field, without: { readonly value?: Value; readonly name?: string }) =>
    sum(words.map((word) => (field.words.has(word) ? (weights.get(word) ?? 0) : 0))) +
    sum(names.map((name) => (field.names.has(name) && !isOfOneName(clause, name, without.name) ? NAME_WEIGHT : 0))) +
    sum(clause.values.map((value) => (value !== without.value && has(field, value) ? VALUE_WEIGHT : 0)))

  for (const value of clause.values) {
    const holders = fields.filter((field) => has(field, value) && agrees(clause, value, field))
    if (holders.length === 0) return false
    const found = holders
      .flatMap(({ own, context }) => [...own.values, ...context.values])
      .filter((known) => matches(value, known))
    const rivals = fields.filter(
      (field) =>
        !has(field, value) &&
        field.own.values.some(
          (other) =>
            found.some((known) => isRival(known, other)) && !clause.values.some((each) => matches(each, other)),
        ),
    )
    if (!isBetter(holders, rivals, (field) => score(field, { value }))) return false
  }
  for (const name of names) {
    const holders = fields.filter((field) => field.names.has(name))
    if (holders.length === 0) continue
    const rivals = fields.filter(
      (field) =>
        !field.names.has(name) && field.subjects.some((other) => !names.includes(other) && !labels.capitals.has(other)),
    )
    if (!isBetter(holders, rivals, (field) => score(field, { name }))) return false
  }
  return (
    clause.values.length > 0 ||
    isInOneField(
      clause,
      [...clause.stems].filter((word) => !labels.stems.has(word) && !names.some((name) => canonical(name) === word)),
      fields,
    )
  )
}

/** Whether one field has most words of a clause without values, and does not say the opposite. */
const isInOneField = (clause: Profile, words: ReadonlyArray<string>, fields: ReadonlyArray<Field>): boolean => {
  const located = words.filter((word) => fields.some((field) => field.words.has(word)))
  if (located.length === 0) return true
  const found = (field: Field) => located.filter((word) => field.words.has(word)).length
  const best = Math.max(...fields.map(found))
  return (
    best >= MIN_IN_ONE_FIELD * located.length &&
    fields.some(
      (field) =>
        found(field) === best && (clause.denies || !field.own.denies) && !contradicts(clause.stems, field.words),
    )
  )
}

const isCapitalised = ({ capitals }: Profile, word: string) =>
  [...capitals.keys()].some((each) => canonical(each) === word)

/** Whether both words belong to one name: "Tom Keller". */
const isOfOneName = ({ pairs }: Profile, word: string, other: string | undefined) =>
  word === other || pairs.has(`${word} ${other}`) || pairs.has(`${other} ${word}`)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

const LIGHT_WEIGHT = 0.3
const NAME_WEIGHT = 3
const VALUE_WEIGHT = 1.5
const MARGIN = 0.01

const isBetter = (holders: ReadonlyArray<Field>, rivals: ReadonlyArray<Field>, score: (field: Field) => number) =>
  Math.max(...holders.map(score)) >= Math.max(0, ...rivals.map(score)) - MARGIN

/** Whether the text has the value. */
export const states = ({ values }: Profile, value: Value): boolean =>
  values.some((known) => matches(value, known) && isSameSpan(value, known))

/** Labels hold values, too: "Storage beyond 2 TB: $90". */
const has = ({ own, context }: Field, value: Value) => states(own, value) || states(context, value)

/** Whether a claim could mean one value where the evidence has the other. */
const isRival = (value: Value, other: Value) => {
  if (value.kind !== "number" || other.kind !== "number") return value.kind === other.kind
  return value.unit === other.unit && (value.span === undefined) === (other.span === undefined)
}

/** "24 hours" are not 24 months. */
const isSameSpan = (one: Value, other: Value) =>
  one.kind !== "number" ||
  other.kind !== "number" ||
  one.span === undefined ||
  other.span === undefined ||
  one.span === other.span

/** Whether the claim counts by the same period as the field, and says no opposite of it. */
const agrees = (clause: Profile, value: Value, { own, words }: Field): boolean => {
  if (contradicts(clause.stems, words)) return false
  if (value.kind !== "number" || value.span !== undefined) return true
  const [stated, known] = [periodsIn(clause), periodsIn(own)]
  return stated.length === 0 || known.length === 0 || stated.some((period) => known.includes(period))
}

const periodsIn = ({ stems, light }: Profile) => [...stems, ...light].filter((word) => PERIODS.has(word))
