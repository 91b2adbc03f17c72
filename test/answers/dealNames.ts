import type { WorkspaceNames } from "../../src/core/answers/questions/words/names.ts"
import type { Today } from "../../src/core/answers/questions/words/periods.ts"
import { makeNames } from "../../training/workspace.ts"

export const TODAY: Today = { now: new Date("2026-11-21T15:00:00Z"), fiscalStart: 1 }

const STAGES = [
  ["Discovery", "open"],
  ["Negotiation", "open"],
  ["Closed Won", "won"],
  ["Closed Lost", "lost"],
  ["Disqualified", "lost"],
] as const

/** The names of a small workspace. */
export const NAMES: WorkspaceNames = {
  fiscalStart: 1,
  timezone: "UTC",
  metrics: ["Champion strength"],
  properties: [
    {
      id: "forecast_category",
      crm: "crm_one",
      object: "deal",
      type: "text",
      labels: ["forecast category"],
      values: ["Commit", "Best case"],
      alone: [],
    },
  ],
  ...makeNames(STAGES, {
    competitor: ["Orvanta", "Calyptus One", "Nimbrel"],
    owner: ["Anna Moreau", "Lars Ilves", "Lars Tanaka"],
    region: ["DACH", "Nordics", "US"],
    industry: ["Retail"],
    product: ["Quellaria Flow"],
    deal_type: ["Renewal"],
    reason: ["Total cost"],
    feature: ["Offline mode", "Single sign-on"],
    client: ["Abelund Logistics"],
    tag: ["blocker"],
  }),
}
