import type { ImportRecord, RecordType } from "../../../core/import/records.ts"

type Field<T extends RecordType> = Exclude<keyof ImportRecord<T>, "type" | "deleted">
/** Naming each field makes a missing or unknown one a compile error. */
type Fields = { readonly [T in RecordType]: { readonly [F in Field<T>]: true } }
export type FieldName = { [T in RecordType]: Field<T> }[RecordType]

const NAMED = { id: true, name: true } as const
const CRM = { crm_one_id: true, crm_two_id: true } as const

const FIELDS: Fields = {
  deal: {
    ...NAMED,
    ...CRM,
    amount: true,
    status: true,
    close_date: true,
    client: true,
    owner: true,
    competitors: true,
    drivers: true,
    region: true,
    deal_type: true,
    product_labels: true,
    created_at: true,
    updated_at: true,
    previous_status: true,
    collaborators: true,
    summary: true,
    scorecard: true,
    deal_analyzed: true,
    analysis_verified: true,
    crm_properties: true,
    custom_metrics: true,
    custom_answers: true,
  },
  client: { ...NAMED, ...CRM, industry: true, website_url: true, crm_properties: true },
  association: {
    id: true,
    deal: true,
    feature: true,
    created_at: true,
    influence_summary: true,
    sentiment: true,
    tags: true,
  },
  competitor: { ...NAMED, website_url: true, aliases: true },
  feature: { ...NAMED, description: true, product: true, product_area: true, aliases: true },
  reason: { ...NAMED, category: true, aliases: true },
  owner: { ...NAMED, email: true },
  stage: { ...NAMED, category: true, position: true },
  crm_property: { id: true, label: true, crm: true, object: true, data_type: true },
  metric: NAMED,
  answer: NAMED,
  segment: { ...NAMED, filters: true },
}

/** The types in the order in which people need them. */
export const TYPES = Object.keys(FIELDS) as ReadonlyArray<RecordType>

export const fieldsOf = (type: RecordType) => Object.keys(FIELDS[type]) as ReadonlyArray<FieldName>

/** Headers of common exports, in lower case without punctuation, and the fields that they mean. */
const SYNONYMS: Readonly<Record<string, FieldName>> = {
  "opportunity id": "crm_one_id",
  "deal id": "crm_one_id",
  "record id": "crm_two_id",
  "account id": "crm_one_id",
  opportunity: "name",
  "opportunity name": "name",
  "deal name": "name",
  "account name": "client",
  account: "client",
  company: "client",
  customer: "client",
  kunde: "client",
  "deal value": "amount",
  "close value": "amount",
  value: "amount",
  revenue: "amount",
  betrag: "amount",
  stage: "status",
  "deal stage": "status",
  "sales stage": "status",
  phase: "status",
  closed: "close_date",
  "close date": "close_date",
  "expected close date": "close_date",
  abschlussdatum: "close_date",
  "deal owner": "owner",
  "opportunity owner": "owner",
  "sales agent": "owner",
  "sales rep": "owner",
  created: "created_at",
  "create date": "created_at",
  "created date": "created_at",
  "engage date": "created_at",
  "last modified date": "updated_at",
  type: "deal_type",
  product: "product_labels",
  products: "product_labels",
  competitor: "competitors",
  "primary competitor": "competitors",
  "loss reason": "drivers",
  "lost reason": "drivers",
  reason: "drivers",
  territory: "region",
  website: "website_url",
  domain: "website_url",
  sector: "industry",
  "e mail": "email",
}

const normalize = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Proposes a field for each header, and each field once. A name that is its own field wins over a synonym. */
export const proposeMapping = (type: RecordType, headers: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const fields = new Set<string>(fieldsOf(type))
  const proposed = new Map<string, string>()
  const take = (header: string, field: string | undefined) => {
    if (field === undefined || !fields.has(field) || proposed.has(header)) return
    fields.delete(field)
    proposed.set(header, field)
  }
  for (const header of headers) take(header, normalize(header).replaceAll(" ", "_"))
  for (const header of headers) take(header, SYNONYMS[normalize(header)])
  // An export of accounts calls its name the account's.
  if (type === "client")
    for (const header of headers) take(header, /\b(account|company|customer)\b/i.test(header) ? "name" : undefined)
  return proposed
}
