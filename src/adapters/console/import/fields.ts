import type { ImportRecord, RecordType } from "../../../core/records/record.ts"

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
  stage: { ...NAMED, category: true, position: true, probability: true },
  crm_property: { id: true, label: true, crm: true, object: true, data_type: true },
  metric: { ...NAMED, question: true, filters: true },
  answer: { ...NAMED, question: true, filters: true, form: true, options: true },
  segment: { ...NAMED, filters: true },
}

/** The types in the order in which people need them. */
export const TYPES = Object.keys(FIELDS) as ReadonlyArray<RecordType>

export const listFields = (type: RecordType) => Object.keys(FIELDS[type]) as ReadonlyArray<FieldName>
