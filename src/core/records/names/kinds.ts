/** The things that records are or refer to: their tables and id prefixes. */
export const TABLES = {
  stage: { table: "stages", prefix: "stg" },
  owner: { table: "owners", prefix: "own" },
  competitor: { table: "competitors", prefix: "cmp" },
  reason: { table: "reasons", prefix: "rsn" },
  client: { table: "clients", prefix: "cli" },
  feature: { table: "features", prefix: "ftr" },
  metric: { table: "metrics", prefix: "met" },
  answer: { table: "answers", prefix: "ans" },
  segment: { table: "segments", prefix: "seg" },
  deal: { table: "deals", prefix: "dea" },
} as const
export type Kind = keyof typeof TABLES

/** Columns besides id and name, and their types. */
export const COLUMNS = {
  stage: { category: "text", position: "int", probability: "float8" },
  owner: { email: "text" },
  competitor: { website_url: "text", aliases: "text[]" },
  reason: { category: "text", aliases: "text[]" },
  feature: { description: "text", product: "text", product_area: "text", aliases: "text[]" },
  metric: { question: "text", filters: "jsonb" },
  answer: { question: "text", form: "text", options: "text[]", filters: "jsonb" },
  client: { crm_one_id: "text", crm_two_id: "text", industry: "text", website_url: "text", crm_properties: "jsonb" },
  segment: { filters: "jsonb" },
} as const satisfies Record<string, Record<string, "text" | "text[]" | "int" | "float8" | "jsonb">>

/** Types whose records are a name and a few columns. */
export type EntityType = keyof typeof COLUMNS

/** A name that a record mentions first, and that this batch creates. */
export interface CreatedName {
  readonly kind: EntityType
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  /** Other columns that are known of it. */
  readonly columns?: Readonly<Record<string, string | null | undefined>> | undefined
  readonly field: string
  readonly line: number
}
