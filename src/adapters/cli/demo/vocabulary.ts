/** All names are invented; none refers to a real company, product or person. */
const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

export const COMPANY_STEMS = words(`
  Abelund Ardivane Belmora Birkhall Brannock Caldrith Carvessa Corvane Dellmark Dorvale Eastrill Elmbray Fairnoll
  Farrowin Gaverly Glenmoss Hadrisk Halvern Ironvey Istrand Jarrowe Kelbrook Kestova Lanmere Lorrigan Marvane
  Merridan Norbeck Novarey Oakrend Ormby Pellworth Perrendale Quarrow Quinvale Ravenoll Rothmere Sarnwick Stellmoor
  Tarnbrey Thornvale Ullmark Umberlow Vandrell Vestrin Wexmoor Wilderoy Yarrowby Zellander Zorrento`)

/** The second word of a company's name, by industry. */
export const INDUSTRIES: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["Logistics", words("Logistics Freight Carriers")],
  ["Manufacturing", words("Works Industries Foundry")],
  ["Healthcare", words("Health Clinics Care")],
  ["Financial services", words("Capital Mutual Credit")],
  ["Retail", words("Stores Market Outfitters")],
  ["Energy", words("Energy Power Grid")],
  ["Education", words("Learning Institute Schools")],
  ["Hospitality", words("Hotels Resorts Kitchens")],
]

export const FIRST_NAMES = words(`
  Adaeze Bastian Chiara Dmitri Elif Farah Goran Hanneke Ines Joaquim Keiko Lars Mirela Nadir Oluwaseun Priya Quentin
  Rosalind Søren Tamsin Ulrike Viktor Wanjiru Yusuf`)

export const LAST_NAMES = words(`
  Abernat Bergström Castellano Dufresne Eriksdotter Fontaine Grabowski Haverkamp Ilves Jankovic Kowalczyk Lindqvist
  Moreau Nakagawa Okonjo Pereira Quispe Rasmussen Szabó Tanaka Urrutia Villanueva Wójcik Zimmer`)

export const REGIONS = ["North America", "DACH", "Nordics", "UK and Ireland", "Southern Europe", "APAC"] as const
export const DEAL_TYPES = ["New business", "Expansion", "Renewal"] as const
export const LEAD_SOURCES = ["Inbound", "Outbound", "Partner", "Event", "Referral"] as const
export const TIERS = ["Strategic", "Growth", "Core"] as const
export const BUYERS = ["Head of Operations", "CIO", "VP Finance", "Director of IT", "Procurement lead"] as const

export const TAGS = words(
  "must-have nice-to-have blocker security mobile reporting integration roadmap pricing onboarding",
)

/** A reason that decides deals, with a buyer's words for and against us. */
export interface Reason {
  readonly name: string
  readonly category: string
  readonly praise: string
  readonly complaint: string
}

const reason = (name: string, category: string, praise: string, complaint: string): Reason => ({
  name,
  category,
  praise,
  complaint,
})

export const REASONS: ReadonlyArray<Reason> = [
  reason("Ease of use", "Product", "the team was productive in a week", "operators would have needed training first"),
  reason("Integration depth", "Product", "every system they run had a connector", "two systems needed custom work"),
  reason("Reporting", "Product", "the board pack came out of the box", "finance could not rebuild its monthly report"),
  reason("Mobile app", "Product", "field crews worked without a connection", "entries were lost without a connection"),
  reason("Total cost", "Commercial", "three years came in under budget", "the price was a third above the next offer"),
  reason("Contract terms", "Commercial", "legal signed the standard terms", "the notice period could not be changed"),
  reason("Speed of delivery", "Delivery", "the pilot was live in nineteen days", "go-live fell into their peak season"),
  reason("Support quality", "Delivery", "references spoke well of support", "support at night would have cost extra"),
  reason("Security review", "Trust", "the questionnaire came back clean", "the audit report was older than they allow"),
  reason("Data residency", "Trust", "the data stays in their region", "backups would have left their region"),
  reason("Executive sponsor", "Relationship", "the sponsor opened every door", "the sponsor left halfway through"),
  reason("Incumbent loyalty", "Relationship", "they were tired of the incumbent", "the incumbent matched the offer"),
]
