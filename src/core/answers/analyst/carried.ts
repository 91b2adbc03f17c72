import type { Ground } from "../../ports/Analyst.ts"
import { makeProfile } from "../citations/profile.ts"
import { matches, findValues } from "../citations/values.ts"
import { Evidence, weighByRarity } from "../citations/verifier.ts"

/** Sentences of the grounds that one sentence can combine. */
const MAX_UNITS = 12

/** Whether the grounds together carry the sentence, by the check of citations in answers. */
export const isCarried = (sentence: string, grounds: ReadonlyArray<Ground>): boolean => {
  const texts = grounds.map(({ text }) => new Evidence(text))
  const labels = [...new Set(grounds.flatMap((each) => each.labels))].join("\n")
  const evidence = new Evidence(grounds.map(({ text }) => text).join("\n"), {
    labels,
    maxUnits: MAX_UNITS,
    minShare: 0,
  })
  return evidence.find(makeProfile(sentence), weighByRarity(texts)) !== undefined
}

/** Whether each name and value of the sentence is in the grounds. Advice may use other words. */
export const inventsNothing = (sentence: string, grounds: ReadonlyArray<Ground>): boolean => {
  const known = grounds.flatMap(({ text, labels }) => [text, ...labels]).join("\n")
  const values = findValues(known)
  const { capitals, stems } = makeProfile(known)
  const claim = makeProfile(sentence)
  return (
    claim.values.every((value) => values.some((other) => matches(value, other))) &&
    [...claim.names].every((name) => capitals.has(name) || stems.has(name))
  )
}
