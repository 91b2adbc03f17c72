import { assert, describe, it } from "vitest"
import { readStage } from "../../../src/core/records/values/stageWords.ts"

const read = (name: string) => {
  const { category, by } = readStage(name)
  return by === "none" ? "unclear" : category
}

const EXPECTED = {
  won: [
    "Won",
    "closedwon",
    "Closed Won",
    "CLOSED-WON",
    "Gewonnen",
    "Abgeschlossen – gewonnen",
    "Ganado",
    "Cerrada ganada",
    "Gagné",
    "Gagne",
    "Fermée gagnée",
    "Vinto",
    "Ganho",
    "Vunnen",
    "Win",
    "成約",
  ],
  lost: [
    "Lost",
    "closedlost",
    "Closed Lost",
    "Verloren",
    "Perdido",
    "Perdu",
    "Perso",
    "Förlorad",
    "Loss",
    "Closed Lost - No Decision",
    "Lost to competitor",
    "Closed Lost - Likely Later",
    "失注",
  ],
  open: [
    "Prospecting",
    "Qualification",
    "Needs Analysis",
    "Negotiation/Review",
    "appointmentscheduled",
    "contractsent",
    "Verhandlung",
    "Négociation",
    "Wonderland evaluation",
    "Proposal review",
  ],
  unclear: [
    "Not Won",
    "Won by competitor",
    "Gewonnen von Mitbewerber",
    "Won - cancelled",
    "Won?",
    "Almost lost",
    "Closed Lost - Reopened",
    "Unwon",
    "Won't buy",
    "never lost",
    "Nicht gewonnen",
    "No ganado",
    "Lost - competitor won",
    "Closed Lost (we won the pilot)",
    "Closed",
    "No Decision",
    "Disqualified",
    "Wonder",
    "Phase 3",
    "",
  ],
} as const

describe("the category of a stage", () => {
  for (const [category, names] of Object.entries(EXPECTED)) {
    for (const name of names) it(`of '${name}' is ${category}`, () => assert.strictEqual(read(name), category))
  }
})
