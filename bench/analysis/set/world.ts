/** The names of one half. All are invented; none refers to a real company, product or person. */
export interface World {
  readonly seller: { readonly name: string; readonly domain: string; readonly people: ReadonlyArray<string> }
  readonly competitors: ReadonlyArray<Entry>
  readonly features: ReadonlyArray<Entry>
  readonly clients: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
  readonly reasons: ReadonlyArray<string>
}

interface Entry {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
}

const entries = (names: string): ReadonlyArray<Entry> =>
  names
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...aliases] = line.split("|").map((part) => part.trim())
      return { name, aliases }
    })

const REASONS = ["Price", "Support", "Security", "Integration", "Timeline"]

export const WORLDS: { readonly work: World; readonly counted: World } = {
  work: {
    seller: { name: "Veltrano", domain: "veltrano.example", people: ["Ines Moreau", "Lars Bergström", "Keiko Tanaka"] },
    competitors: entries(`
      Orvanta
      Nimbrel | Nimbrel Cloud
      Calyptus
      Dexmoor Systems | Dexmoor
      Hallowtree
      Quantrix
      Compass
      Beacon
      Summit`),
    features: entries(`
      Single sign-on | SSO
      Audit trail | audit log
      Route planning
      Offline mode
      Demand forecast
      Bulk import
      Approval workflow | approvals
      Mobile app
      Role permissions
      Price simulation
      Carrier portal
      Custom reports`),
    clients: ["Hartwell", "Birkhall", "Novarey", "Tarnbrey", "Pellworth", "Wexmoor", "Sarnwick", "Lorrigan"],
    people: ["Dana Reyes", "Yusuf Okonjo", "Mirela Szabó", "Goran Ilves", "Farah Quispe", "Elif Haverkamp"],
    reasons: REASONS,
  },
  counted: {
    seller: {
      name: "Brightmere",
      domain: "brightmere.example",
      people: ["Tamsin Zimmer", "Viktor Lindqvist", "Chiara Fontaine"],
    },
    competitors: entries(`
      Perivale
      Mostrix | Mostrix One
      Gantory
      Ebbworth Labs | Ebbworth
      Kiltara
      Solvanto
      Harvest
      Anchor
      Lantern`),
    features: entries(`
      Data residency
      Field encryption | encryption at rest
      Shift planner
      Barcode scanning
      Cash forecast
      Template library | templates
      Contract archive
      Guest access
      Change history
      Quality checks
      Supplier score | supplier scorecard
      Alert rules`),
    clients: ["Caldrith", "Elmbray", "Glenmoss", "Ironvey", "Kelbrook", "Merridan", "Oakrend", "Umberlow"],
    people: [
      "Nadir Dufresne",
      "Hanneke Grabowski",
      "Oluwaseun Pereira",
      "Priya Urrutia",
      "Quentin Wójcik",
      "Adaeze Kowalczyk",
    ],
    reasons: REASONS,
  },
}
