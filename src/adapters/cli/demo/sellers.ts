import type { WorkspaceSettings } from "../../../core/catalogue/settings.ts"

/** A demo organization: what it sells, and its competitors. */
export interface Seller {
  /** The id of its organization. */
  readonly id: string
  readonly name: string
  readonly plan: "growth" | "enterprise"
  readonly settings: Omit<WorkspaceSettings, "name">
  readonly seed: number
  readonly deals: number
  readonly clients: number
  readonly products: ReadonlyArray<string>
  readonly competitors: ReadonlyArray<string>
  /** Name, product area, what it does. */
  readonly features: ReadonlyArray<readonly [string, string, string]>
}

export const SELLERS: ReadonlyArray<Seller> = [
  {
    id: "demo_quellaria",
    name: "Quellaria",
    plan: "enterprise",
    settings: {
      currency: "EUR",
      fiscal_start: 2,
      timezone: "UTC",
      our_names: ["Quellaria"],
      our_domains: ["quellaria.example"],
      analysis: "manual",
      analysis_budget: null,
      links: "figures",
      renewal_types: ["Renewal"],
      no_decision: null,
      rubrics: {},
    },
    seed: 20_260_101,
    deals: 1_600,
    clients: 320,
    products: ["Quellaria Flow", "Quellaria Ledger", "Quellaria Signal"],
    competitors: ["Brixen Suite", "Tallowmark", "Orvanta", "Nimbrel", "Sparrowdesk", "Calyptus One"],
    features: [
      ["Workflow builder", "Automation", "Draws an approval as a diagram and runs it"],
      ["Audit trail", "Governance", "Every change with who, when and why"],
      ["Single sign-on", "Governance", "Sign in with the company's identity provider"],
      ["Spreadsheet import", "Data", "Takes a spreadsheet as it is and maps its columns"],
      ["Offline mode", "Mobile", "Works without a connection and syncs later"],
      ["Forecast view", "Analytics", "What the quarter will bring, with its range"],
      ["Custom dashboards", "Analytics", "Charts that each team arranges for itself"],
      ["Open API", "Data", "Everything the screens can do, for programs"],
      ["Approval by e-mail", "Automation", "Approve from the inbox, without signing in"],
      ["Data residency choice", "Governance", "Pick the region in which data is kept"],
      ["Barcode scanning", "Mobile", "The phone's camera as a scanner"],
      ["Scenario planning", "Analytics", "Compare what happens under different assumptions"],
    ],
  },
  {
    id: "demo_ostrevent",
    name: "Ostrevent",
    plan: "growth",
    settings: {
      currency: "USD",
      fiscal_start: 1,
      timezone: "UTC",
      our_names: ["Ostrevent"],
      our_domains: ["ostrevent.example"],
      analysis: "manual",
      analysis_budget: null,
      links: "figures",
      renewal_types: ["Renewal"],
      no_decision: null,
      rubrics: {},
    },
    seed: 20_260_202,
    deals: 600,
    clients: 140,
    products: ["Ostrevent Picker", "Ostrevent Yard"],
    competitors: ["Gantrel Systems", "Movanta", "Palletix Nord", "Keldar Automation"],
    features: [
      ["Pick-by-light", "Warehouse", "Lights lead to the next shelf"],
      ["Slotting advice", "Warehouse", "Moves fast goods to the front"],
      ["Yard map", "Yard", "Every trailer, live, on a map"],
      ["Gate check-in", "Yard", "Drivers check in by phone before they arrive"],
      ["Shift planner", "Labour", "Plans people to the forecast of orders"],
      ["Carrier connect", "Integration", "Labels and tracking for every carrier"],
      ["Cold-chain log", "Compliance", "Temperatures from dock to shelf"],
      ["Robot dispatch", "Warehouse", "Sends mobile robots and people together"],
    ],
  },
]
