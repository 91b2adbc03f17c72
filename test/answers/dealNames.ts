import type { Kind, WorkspaceNames } from "../../src/core/answers/deals/names.ts"
import type { Today } from "../../src/core/answers/deals/periods.ts"

export const TODAY: Today = { now: new Date("2026-11-21T15:00:00Z"), fiscalStart: 1 }

const STAGES = [
  { id: "s1", name: "Discovery", category: "open" },
  { id: "s2", name: "Negotiation", category: "open" },
  { id: "s3", name: "Closed Won", category: "won" },
  { id: "s4", name: "Closed Lost", category: "lost" },
  { id: "s5", name: "Disqualified", category: "lost" },
] as const

const of = (kind: Kind, ...names: ReadonlyArray<string>) =>
  names.map((name, n) => ({ kind, value: `${kind}_${n + 1}`, name }))

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
  stages: STAGES,
  names: [
    ...STAGES.map(({ id, name }) => ({ kind: "stage" as const, value: id, name })),
    ...of("competitor", "Orvanta", "Calyptus One", "Nimbrel"),
    ...of("owner", "Anna Moreau", "Lars Ilves", "Lars Tanaka"),
    ...of("region", "DACH", "Nordics", "US"),
    ...of("industry", "Retail"),
    ...of("product", "Quellaria Flow"),
    ...of("deal_type", "Renewal"),
    ...of("reason", "Total cost"),
    ...of("feature", "Offline mode", "Single sign-on"),
    ...of("client", "Abelund Logistics"),
    ...of("tag", "blocker"),
  ],
}
