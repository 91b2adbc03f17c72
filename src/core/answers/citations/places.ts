import { findChoices, choosesAlike } from "./choices.ts"
import { actsAlike } from "./direction.ts"
import { splitClauses } from "./facts.ts"
import { areAbout, type Field, has, hasNames, isAbout, type Places, properNames } from "./fields.ts"
import { isGeneric, isSameKind, writeLikeness, type Mention, findMentions, playsAlike, wordsOf } from "./mentions.ts"
import { type Profile, makeProfile } from "./profile.ts"
import { matches, type Value } from "./values.ts"
import { canonical, contradicts, isCommon, PERIODS } from "./vocabulary.ts"

/** A clause that has no single field with this share of its words mixes fields. */
const MIN_IN_ONE_FIELD = 0.8

/** The share of those of its words that the text has for a clause with a value: they stand in the sentence of the value. */
const MIN_AT_VALUE = 0.5

/** Whether each value and name of the claim belongs to the field that the claim puts it in. */
export const isInPlace = (claim: Profile, places: Places): boolean => {
  const { fields, choices } = places
  const claimed = findChoices([claim.text])
  if (!choosesAlike(claimed, choices)) return false
  const isByOther = [...claimed.chosen].some((party) => party !== "we")
  // That another has won is no contradiction to our loss.
  const stated = [...claim.stems].filter((stem) => !isByOther && (stem === "won" || stem === "lost"))
  if (contradicts(new Set(stated), new Set(fields.flatMap(({ words }) => [...words])))) return false
  if (!fields.every(({ own }) => actsAlike(claim.text, own.text))) return false
  let subject: ReadonlyArray<string> = []
  return splitClauses(claim.text, 0, claim.text.length)
    .map(({ start, end }) => makeProfile(claim.text.slice(start, end)))
    .every((clause) => {
      const own = namesIn(clause, places)
      const names = own.length > 0 ? own : subject
      if (own.length > 0) subject = own
      // ", and not by us" is a part of a choice.
      if (clause.stems.size + clause.values.length + own.length === 0) return true
      return isClauseInPlace(clause, names, places)
    })
}

const namesIn = ({ names, openers, capitalised }: Profile, { fields, labels }: Places): ReadonlyArray<string> => [
  ...new Set(
    // A word that the evidence writes small is no name.
    [...capitalised]
      .filter(
        (word) => (names.has(word) || openers.has(canonical(word))) && fields.some((field) => field.names.has(word)),
      )
      .filter((name) => !labels.capitals.has(name) && !labels.stems.has(canonical(name)) && !isCommon(canonical(name))),
  ),
]

/** A clause of a claim, with the weights of its words among the fields. */
interface Clause {
  readonly profile: Profile
  readonly names: ReadonlyArray<string>
  readonly weights: ReadonlyMap<string, number>
}

const isClauseInPlace = (profile: Profile, names: ReadonlyArray<string>, places: Places): boolean => {
  const { fields, labels } = places
  const implied = ["won", "lost"].some((outcome) => profile.stems.has(outcome)) ? ["close"] : []
  const words = [...new Set([...wordsOf(profile), ...implied])].filter(
    (word) =>
      !(labels.stems.has(word) && isCapitalised(profile, word)) && !names.some((name) => canonical(name) === word),
  )
  const weights = new Map(words.map((word) => [word, weigh(word, profile, fields)]))
  const clause = { profile, names, weights }
  const content = words.filter((word) => profile.stems.has(word) && !labels.stems.has(word))
  return (
    findMentions(profile).every((mention) => isValueInPlace(mention, clause, content, places)) &&
    names.every((name) => isNameInPlace(name, clause, places)) &&
    (profile.values.length > 0 || isInOneField(clause, content, places))
  )
}

const weigh = (word: string, { light }: Profile, fields: ReadonlyArray<Field>) => {
  if (word === "we") return NAME_WEIGHT
  // `agrees` compares them.
  if (PERIODS.has(word)) return 0
  const times = fields.filter((field) => field.words.has(word)).length
  return times === 0 ? 0 : Math.log(1 + fields.length / times) * (light.has(word) ? LIGHT_WEIGHT : 1)
}

interface Holder {
  readonly field: Field
  readonly mention: Mention
}

const isValueInPlace = (stated: Mention, clause: Clause, content: ReadonlyArray<string>, places: Places) => {
  const { fields } = places
  const all = fields.flatMap((field) => field.mentions.map((mention) => ({ field, mention })))
  const nouns = new Set(all.map(({ mention }) => mention.noun))
  const holders = all.filter(
    ({ field, mention }) =>
      matches(stated.value, mention.value) &&
      isSameKind(stated, mention, field.kind, nouns) &&
      agrees(clause.profile, stated.value, field) &&
      hasNames(clause.names, field, places) &&
      isOurs(clause, field),
  )
  if (holders.length === 0) return false
  const alike = new Set(holders.map(({ mention }) => writeLikeness(mention.value)))
  const isAfterChange = holders.some(({ mention }) => mention.role === "new")
  const rivals = all.filter(
    ({ mention }) =>
      !(isAfterChange && mention.role === "old") &&
      !matches(stated.value, mention.value) &&
      playsAlike(stated.role, mention.role) &&
      alike.has(writeLikeness(mention.value)) &&
      !clause.profile.values.some((each) => matches(each, mention.value)),
  )
  const score = ({ field, mention }: Holder) => scorePlace(stated, clause, { field, mention }, places)
  const best = Math.max(...holders.map(score))
  if (best < Math.max(0, ...rivals.map(score)) - MARGIN) return false
  const located = content.filter(
    (word) =>
      word !== "won" &&
      word !== "lost" &&
      !isGeneric(word, stated.value) &&
      fields.some((field) => field.words.has(word)),
  )
  return holders
    .filter((holder) => score(holder) >= best - MARGIN)
    .some(({ field }) => {
      const unit = fields.filter((other) => other.unit === field.unit)
      const here = located.filter((word) => unit.some((other) => other.words.has(word)))
      // The subject of the clause comes first.
      const subject = located.find((word) => !CONTAINERS.has(word))
      return (
        (subject === undefined || field.kind !== "clause" || here.includes(subject)) &&
        here.length >= MIN_AT_VALUE * located.length
      )
    })
}

/** Nouns that any value of a deal can belong to. */
const CONTAINERS: ReadonlySet<string> = new Set(["contract", "offer", "product"])

/** How well a value of the evidence fits the words around a value of the claim. Words that belong to another value beside it count half. */
const scorePlace = (
  stated: Mention,
  { profile, names, weights }: Clause,
  { field, mention }: Holder,
  places: Places,
): number => {
  const isAside = (word: string) => !mention.near.has(word) && field.mentions.some(({ near }) => near.has(word))
  const weightOf = (word: string, weight: number) =>
    !field.words.has(word)
      ? 0
      : weight *
        (isAside(word) ? (word === "we" ? 0 : 0.5) : 1) *
        (stated.near.has(word) ? 1 : 0.5) *
        (isGeneric(word, stated.value) ? LIGHT_WEIGHT : 1)
  return (
    sum([...weights].map(([word, weight]) => weightOf(word, weight))) +
    sum(
      names.map((name) =>
        isAbout(name, field, places) ? NAME_WEIGHT * (mention.near.has(canonical(name)) ? 1 : 0.5) : 0,
      ),
    ) +
    sum(profile.values.map((value) => (value !== stated.value && has(field, value) ? VALUE_WEIGHT : 0)))
  )
}

/** Whether a clause about us alone is not of a field about others. */
const isOurs = ({ profile, names }: Clause, field: Field): boolean =>
  names.length > 0 ||
  !SUBJECT_WE.test(profile.text) ||
  field.words.has("we") ||
  (field.kind === "property" && field.own.stems.size <= field.own.capitalised.size) ||
  !properNames(field.own).some((name) => field.subjects.includes(name))

const SUBJECT_WE = /^\W*(?:we|our|wir|unser\p{L}*|nous|notre|nos|nosotr[ao]s|nuestr[ao]s?)\s/iu

const isNameInPlace = (name: string, clause: Clause, places: Places): boolean => {
  const { fields, labels } = places
  const { profile, names, weights } = clause
  const holders = fields.filter((field) => isAbout(name, field, places))
  if (holders.length === 0) return true
  const speaks = fields.some(({ kind, context }) => kind === "speech" && context.capitalised.has(name))
  const rivals = fields.filter(
    (field) =>
      !holders.includes(field) &&
      (speaks || field.kind !== "speech" ? field.subjects : properNames(field.own)).some(
        (other) => !names.includes(other) && !labels.capitals.has(other),
      ),
  )
  const score = (field: Field) =>
    sum([...weights].map(([word, weight]) => (field.words.has(word) ? weight : 0))) +
    sum(names.map((other) => (field.names.has(other) && !isOfOneName(profile, other, name) ? NAME_WEIGHT : 0))) +
    sum(profile.values.map((value) => (has(field, value) ? VALUE_WEIGHT : 0)))
  return Math.max(...holders.map(score)) >= Math.max(0, ...rivals.map(score)) - MARGIN
}

/** Whether one field has most words of a clause without values, denies if the clause does, and does not say the opposite. */
const isInOneField = (all: Clause, words: ReadonlyArray<string>, places: Places): boolean => {
  const { fields } = places
  const { profile: clause, names } = all
  const located = words.filter((word) => fields.some((field) => field.words.has(word)))
  if (located.length === 0)
    return !clause.denies || fields.some((field) => field.denies && names.every((name) => field.names.has(name)))
  // A sentence can combine the lines of a record.
  const isIn = (word: string, field: Field) =>
    field.words.has(word) ||
    (field.kind === "property" && fields.some((other) => other.unit === field.unit && other.words.has(word)))
  const found = (field: Field) => located.filter((word) => isIn(word, field)).length
  const best = Math.max(...fields.map(found))
  const fitting = fields.filter((field) => found(field) === best)
  const named = fitting.filter((field) => names.every((name) => field.names.has(name)))
  const about = named.length > 0 ? named : fitting.filter((field) => areAbout(names, field, places))
  return (
    best >= MIN_IN_ONE_FIELD * located.length &&
    about.some(
      (field) => clause.denies === field.denies && isOurs(all, field) && !contradicts(clause.stems, field.words),
    )
  )
}

const isCapitalised = ({ capitals }: Profile, word: string) =>
  [...capitals.keys()].some((each) => canonical(each) === word)

/** Whether both words belong to one name: "Tom Keller". */
const isOfOneName = ({ pairs }: Profile, word: string, other: string) =>
  word === other || pairs.has(`${word} ${other}`) || pairs.has(`${other} ${word}`)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

const LIGHT_WEIGHT = 0.3

const NAME_WEIGHT = 3

const VALUE_WEIGHT = 1.5

const MARGIN = 0.01

/** Whether the claim counts by the same period as the field, denies if the field does, and says no opposite of it. */
const agrees = (clause: Profile, value: Value, { own, words, denies }: Field): boolean => {
  if (contradicts(clause.stems, words) || clause.denies !== denies) return false
  if (value.kind !== "number" || value.days !== undefined) return true
  const [stated, known] = [periodsIn(clause), periodsIn(own)]
  return stated.length === 0 || known.length === 0 || stated.some((period) => known.includes(period))
}

const periodsIn = ({ stems, light }: Profile) => [...stems, ...light].filter((word) => PERIODS.has(word))
