import { assert, it } from "@effect/vitest"
import { findChoices, choosesAlike } from "../../src/core/answers/citations/choices.ts"

const TEXTS = [
  "Abelund went with Nimbrel instead of us.",
  "Nimbrel was chosen by Abelund over us.",
  "We lost Abelund to Nimbrel.",
  "Abelund hat sich gegen uns und für Nimbrel entschieden.",
  "Wir haben Abelund an Nimbrel verloren.",
  "Abelund a préféré Nimbrel à notre solution.",
  "Abelund a choisi Nimbrel plutôt que nous.",
  "Abelund eligió Nimbrel y nos rechazó.",
  "Perdimos Abelund frente a Nimbrel.",
]

const OPPOSITES = [
  "Abelund chose us over Nimbrel.",
  "We won Abelund against Nimbrel.",
  "Abelund hat Nimbrel abgesagt.",
  "Abelund nous a préférés à Nimbrel.",
  "Abelund eligió nuestra solución y rechazó a Nimbrel.",
]

it("a choice is the same in four languages, and not the same the other way round", () => {
  for (const known of TEXTS) {
    const { chosen, rejected } = findChoices([known])
    assert.deepStrictEqual([[...chosen], [...rejected]], [["nimbrel"], ["we"]], known)
    for (const stated of TEXTS) assert.isTrue(choosesAlike(findChoices([stated]), findChoices([known])), stated)
    for (const stated of OPPOSITES) assert.isFalse(choosesAlike(findChoices([stated]), findChoices([known])), stated)
  }
})

it("an owner of a won deal has won for us, and a competitor has not", () => {
  const record = findChoices(["Stage: Closed Won", "Owner: Priya Nair", "Competitors: Corvane"])
  assert.isTrue(choosesAlike(findChoices(["Priya Nair won the renewal."]), record))
  assert.isFalse(choosesAlike(findChoices(["Corvane won the renewal."]), record))
})
