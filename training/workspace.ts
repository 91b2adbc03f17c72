import type { Kind, WorkspaceNames } from "../src/core/answers/questions/words/names.ts"
import type { Today } from "../src/core/answers/questions/words/periods.ts"

type Category = WorkspaceNames["stages"][number]["category"]

/** The stages and names of an invented workspace. Ids are numbered from 1. */
export const makeNames = (
  stages: ReadonlyArray<readonly [name: string, category: Category]>,
  names: Readonly<Partial<Record<Kind, ReadonlyArray<string>>>>,
): Pick<WorkspaceNames, "stages" | "names"> => ({
  stages: stages.map(([name, category], n) => ({ id: `s${n + 1}`, name, category })),
  names: [
    ...stages.map(([name], n) => ({ kind: "stage" as const, value: `s${n + 1}`, name })),
    ...(Object.keys(names) as ReadonlyArray<Kind>).flatMap((kind) =>
      names[kind]!.map((name, n) => ({ kind, value: `${kind}_${n + 1}`, name })),
    ),
  ],
})

const STAGES = [
  ["Discovery", "open"],
  ["Evaluation", "open"],
  ["Proposal", "open"],
  ["Negotiation", "open"],
  ["Closed won", "won"],
  ["Closed lost", "lost"],
] as const

const NAMES: Readonly<Partial<Record<Kind, ReadonlyArray<string>>>> = {
  owner: [
    "Bastian Grabowski",
    "Chiara Okonjo",
    "Dmitri Tanaka",
    "Elif Zimmer",
    "Farah Rasmussen",
    "Goran Castellano",
    "Hanneke Jankovic",
    "Ines Ilves",
    "Joaquim Bergström",
    "Keiko Fontaine",
    "Lars Eriksdotter",
    "Mirela Urrutia",
    "Nadir Abernat",
  ],
  competitor: ["Brixen Suite", "Calyptus One", "Nimbrel", "Orvanta", "Sparrowdesk", "Tallowmark"],
  region: ["APAC", "DACH", "Nordics", "North America", "Southern Europe", "UK and Ireland"],
  industry: [
    "Education",
    "Energy",
    "Financial services",
    "Healthcare",
    "Hospitality",
    "Logistics",
    "Manufacturing",
    "Retail",
  ],
  reason: [
    "Contract terms",
    "Data residency",
    "Ease of use",
    "Executive sponsor",
    "Incumbent loyalty",
    "Integration depth",
    "Mobile app",
    "Reporting",
    "Security review",
    "Speed of delivery",
    "Support quality",
    "Total cost",
  ],
  feature: [
    "Approval by e-mail",
    "Audit trail",
    "Barcode scanning",
    "Custom dashboards",
    "Forecast view",
    "Offline mode",
    "Open API",
    "Scenario planning",
    "Single sign-on",
    "Spreadsheet import",
    "Workflow builder",
  ],
  product: ["Quellaria Flow", "Quellaria Ledger", "Quellaria Signal"],
  client: ["Kelbrook Hotels", "Fairnoll Clinics"],
  deal_type: ["Expansion", "New business", "Renewal"],
}

/** The names of the workspace that the voices talk about. */
export const WORKSPACE: WorkspaceNames = {
  ...makeNames(STAGES, NAMES),
  currency: "EUR",
  fiscalStart: 2,
  timezone: "UTC",
  metrics: [],
  properties: [
    {
      id: "lead_source",
      crm: "crm_one",
      object: "deal",
      type: "text",
      labels: ["lead source"],
      values: ["Partner", "Outbound", "Event"],
      alone: ["Partner", "Outbound", "Event"],
    },
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
}

/** The day on which the voices speak. */
export const TODAY: Today = { now: new Date("2026-11-26T12:00:00Z"), fiscalStart: 2 }
