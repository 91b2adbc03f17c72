import type { RecordType } from "../records/record.ts"

/** The kinds of entries, as in the path `GET /workspace/{kind}`. */
export const KINDS = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "features",
  "segments",
  "regions",
  "industries",
  "deal_types",
  "product_labels",
  "tags",
  "metrics",
  "answers",
  "crm_properties",
] as const
export type Kind = (typeof KINDS)[number]

/** The kinds that `PUT` and `DELETE` change, with the type of their import records. */
export const CHANGEABLE = {
  stages: "stage",
  competitors: "competitor",
  reasons: "reason",
  features: "feature",
  segments: "segment",
  metrics: "metric",
  answers: "answer",
} as const satisfies Partial<Record<Kind, RecordType>>
export type ChangeableKind = keyof typeof CHANGEABLE

export const isKind = (text: string): text is Kind => (KINDS as ReadonlyArray<string>).includes(text)
export const isChangeable = (text: string): text is ChangeableKind => Object.hasOwn(CHANGEABLE, text)

/** Entries per page, and per kind in `GET /workspace`. */
export const PAGE_SIZE = 100
