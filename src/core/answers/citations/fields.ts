import type { findChoices } from "./choices.ts"
import type { Fact } from "./facts.ts"
import { type Mention, findMentions, states, wordsOf } from "./mentions.ts"
import type { Profile } from "./profile.ts"
import type { Value } from "./values.ts"
import { canonical, isCommon, isStopWord } from "./vocabulary.ts"

/** A fact of the evidence, prepared for comparing. */
export interface Field {
  readonly own: Profile
  readonly context: Profile
  readonly mentions: ReadonlyArray<Mention>
  /** The words of both. */
  readonly words: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /** The names that tell it from other fields. */
  readonly subjects: ReadonlyArray<string>
  /** The line or sentence that it is a part of. */
  readonly unit: number
  readonly denies: boolean
  readonly kind: Fact["kind"]
}

export const makeField = (
  own: Profile,
  context: Profile,
  subject: Profile,
  at: Pick<Field, "unit" | "kind">,
): Field => ({
  own,
  context,
  mentions: [...findMentions(own), ...findMentions(context)],
  words: new Set([...wordsOf(own), ...wordsOf(context)]),
  names: new Set([...own.capitals.keys(), ...context.capitals.keys()]),
  subjects: [...properNames(own), ...subject.capitalised].filter(
    (word) => !isStopWord(word) && !isCommon(canonical(word)),
  ),
  ...at,
  denies: own.denies || context.denies,
})

export const properNames = ({ capitalised, names, openers }: Profile) =>
  [...capitalised].filter((word) => names.has(word) || openers.has(canonical(word)))

/** Labels hold values, too: "Storage beyond 2 TB: $90". */
export const has = ({ own, context }: Field, value: Value) => states(own, value) || states(context, value)

/** Evidence as `isInPlace` compares claims with it. */
export interface Places {
  readonly fields: ReadonlyArray<Field>
  readonly labels: Profile
  readonly choices: ReturnType<typeof findChoices>
  /** The halves of names of two words. */
  readonly halves: ReadonlyArray<ReadonlyArray<string>>
}

export const splitHalves = (fields: ReadonlyArray<Field>): Places["halves"] =>
  [...new Set(fields.flatMap(({ own, context }) => [...own.pairs.keys(), ...context.pairs.keys()]))].map((pair) =>
    pair.split(" "),
  )

/** Whether the field has the name or its other half ("Owen" for "Owen Bray"), or has none of its own and its sentence has it. */
export const isAbout = (
  name: string,
  { names, own, subjects, unit, kind }: Field,
  { fields, halves }: Places,
): boolean =>
  names.has(name) ||
  halves.some((pair) => pair.includes(name) && pair.every((half) => half === name || names.has(half))) ||
  (kind !== "cell" &&
    !properNames(own).some((other) => subjects.includes(other)) &&
    fields.some((other) => other.unit === unit && other.names.has(name)))

/** Whether the field is about the names; the lines of a record are about one thing, if the field has one of the names. */
export const areAbout = (names: ReadonlyArray<string>, field: Field, places: Places): boolean =>
  names.every((name) => isAbout(name, field, places)) ||
  (field.kind === "property" &&
    names.some((name) => field.names.has(name)) &&
    names.every((name) => places.fields.some(({ unit, names: known }) => unit === field.unit && known.has(name))))

/** Whether the field is about the names, or about none, and the text before it is about them. */
export const hasNames = (names: ReadonlyArray<string>, field: Field, places: Places): boolean =>
  names.every(
    (name) =>
      isAbout(name, field, places) ||
      ((field.kind === "speech" ? properNames(field.own) : field.subjects).every(
        (other) => names.includes(other) || places.labels.capitals.has(other),
      ) &&
        places.fields.some((other) => other.names.has(name) && other.unit <= field.unit)),
  )
