import type { EndpointName } from "../../src/core/server/api.ts"
import type { Kind } from "./kinds.ts"
import { isColumn } from "../../src/core/deals/columns/columns.ts"
import { filterFields } from "../../src/core/deals/filters/filters.ts"

const associationOf = (deal: object) => ({ type: "association", deal, feature: "f_same", created_at: "2026-01-01" })

/** Writes an id into one field. */
export interface IdField {
  readonly kind: Kind
  readonly write: (id: string) => unknown
}

export interface BodyField {
  readonly kind: Kind
  readonly write: (id: string) => object
  /** The field matches by similarity, so that a similar name of the caller's own is found. */
  readonly alike?: true
}

export interface IdFields {
  readonly path?: Readonly<Record<string, Kind>>
  /** Path parameters that are not ids, with the value to use while testing other fields. */
  readonly fixed?: Readonly<Record<string, string>>
  /** A query parameter can name several kinds. */
  readonly query?: Readonly<Record<string, ReadonlyArray<IdField>>>
  /** Query parameters that name nothing of a tenant. */
  readonly plain?: ReadonlyArray<string>
  /** Fields of the body, each with the records that refer from there. Required for an endpoint with a body. */
  readonly body?: Readonly<Record<string, BodyField>>
}

const list = (kind: Kind): ReadonlyArray<IdField> => [{ kind, write: (id) => JSON.stringify([id]) }]
const itself = (kind: Kind): IdField => ({ kind, write: (id) => id })
const text = (kind: Kind, prefix: string): IdField => ({ kind, write: (id) => `name,${prefix}${id}` })
const condition = (kind: Kind, operator: string): IdField => ({
  kind,
  write: (id) => JSON.stringify([{ property: id, operator, value: "x" }]),
})

const selectors: ReadonlyArray<IdField> = [
  ...["crm_", "crm_crm_one_account_", "crm_crm_two_account_"].map((prefix) => text("property", prefix)),
  text("metric", "custom_metric_score_"),
  text("metric", "custom_metric_explanation_"),
  text("answer", "custom_answer_"),
]

const filters: Readonly<Record<string, ReadonlyArray<IdField>>> = {
  deal_ids: list("deal"),
  crm_one_ids: list("crm_one"),
  crm_two_ids: list("crm_two"),
  owner_ids: list("owner"),
  client_ids: list("client"),
  collaborators: list("owner"),
  status: list("stage"),
  entered_stages: list("stage"),
  left_stages: list("stage"),
  competitors: list("competitor"),
  competitor_ids: list("competitor"),
  primary_competitors: list("competitor"),
  incumbents: list("competitor"),
  driver_ids: list("reason"),
  feature_ids: list("feature"),
  segment_ids: list("segment"),
  crm_filters: [condition("property", "is"), condition("property", "is not")],
  crm_account_filters: [condition("property", "is"), condition("property", "is not")],
  custom_answers: [{ kind: "answer", write: (id) => JSON.stringify({ [id]: ["x"] }) }],
  and: [
    { kind: "owner", write: (id) => JSON.stringify([{ owner_ids: [id] }]) },
    { kind: "property", write: (id) => JSON.stringify([{ crm_filters: [{ property: id, operator: "is empty" }] }]) },
  ],
}

/** Values, ranges and modifiers. A new filter of another kind must be listed above. */
const PLAIN_FILTERS = Object.keys(filterFields).filter(
  (name) =>
    (isColumn(name) && !(name in filters)) ||
    name.endsWith("_filter_type") ||
    [
      "searchQuery",
      "outcome",
      "driver_effect",
      "driver_categories",
      "products",
      "product_areas",
      "feature_sentiment",
      "association_tags",
      "asked_at",
      "overdue",
      "first_won",
      "stage_changed_at",
      "slipped_from",
      "open_days",
      "deal_type",
      "product_labels",
      "product_ids",
      "analyzed",
      "verified",
      "deal_analyzed",
      "analysis_verified",
      "proposal_due",
    ].includes(name),
)

const ASSOCIATION_FILTERS = ["date_from", "date_to", "sentiment", "tags", "product", "product_area"]
const REPORT_PARAMETERS = ["measures", "order_by", "limit", "having", "compare", "fiscal_start"]

const group = (kind: Kind, prefix: string): IdField => ({ kind, write: (id) => `${prefix}${id}` })
const groups: ReadonlyArray<IdField> = [
  group("property", "crm_"),
  group("property", "crm_crm_one_account_"),
  group("answer", "custom_answer_"),
]

/** The references in a deal's import record or in a change of a deal. */
const DEAL_REFERENCES: Readonly<Record<string, BodyField>> = {
  owner: { kind: "owner", write: (id) => ({ owner: { id } }) },
  collaborators: { kind: "owner", write: (id) => ({ collaborators: [{ id }] }) },
  status: { kind: "stage", write: (id) => ({ status: { id } }) },
  previous_status: { kind: "stage", write: (id) => ({ previous_status: { id } }) },
  client: { kind: "client", write: (id) => ({ client: { id } }) },
  competitors: { kind: "competitor", write: (id) => ({ competitors: [{ competitor: { id } }] }) },
  drivers: { kind: "reason", write: (id) => ({ drivers: [{ reason: { id } }] }) },
  crm_properties: { kind: "property", write: (id) => ({ crm_properties: { [id]: "x" } }) },
}

const inRecord = (fields: Readonly<Record<string, BodyField>>): Readonly<Record<string, BodyField>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind, write }]) => [
      name,
      { kind, write: (id) => ({ type: "deal", id: "d_probe", name: "probe", ...write(id) }) },
    ]),
  )

const exporting = (fields: (id: string) => object) => (id: string) => ({ columns: ["name"], ...fields(id) })

const upload = (fields: (id: string) => object) => (id: string) => ({
  file_name: "probe.md",
  content_type: "text/markdown",
  file_base64: "cHJvYmU=",
  ...fields(id),
})
const intel = (fields: (id: string) => object) => upload((id) => ({ type: "intel", ...fields(id) }))

/** Every field of every endpoint that can have an id. A new endpoint does not compile without a row here. */
export const ID_FIELDS: Readonly<Record<EndpointName, IdFields>> = {
  "deals.list": {
    query: { ...filters, columns: selectors },
    plain: [...PLAIN_FILTERS, "page_size", "page_index", "cursor", "count", "sort", "sort_order"],
  },
  "deals.get": { path: { id: "deal" }, query: { columns: selectors } },
  "deals.update": { path: { id: "deal" }, body: DEAL_REFERENCES },
  "deals.delete": { path: { id: "deal" } },
  "deals.stages": { path: { id: "deal" } },
  "exports.create": {
    body: {
      "filters.deal_ids": { kind: "deal", write: exporting((id) => ({ filters: { deal_ids: [id] } })) },
      owner_ids: { kind: "owner", write: exporting((id) => ({ owner_ids: [id] })) },
      segment_ids: { kind: "segment", write: exporting((id) => ({ segment_ids: [id] })) },
      crm_filters: {
        kind: "property",
        write: exporting((id) => ({ crm_filters: [{ property: id, operator: "is not", value: "x" }] })),
      },
      "columns, a property": { kind: "property", write: (id) => ({ columns: [`crm_${id}`] }) },
      "columns, a metric": { kind: "metric", write: (id) => ({ columns: [`custom_metric_score_${id}`] }) },
    },
  },
  "exports.get": { path: { export_id: "export" } },
  "exports.delete": { path: { export_id: "export" } },
  "intelligence.export": { plain: ASSOCIATION_FILTERS },
  "intelligence.delete": { path: { id: "association" } },
  "reports.deals": { query: { ...filters, group_by: groups }, plain: [...PLAIN_FILTERS, ...REPORT_PARAMETERS] },
  "reports.associations": {
    query: { ...filters, group_by: groups },
    plain: [...PLAIN_FILTERS, ...REPORT_PARAMETERS, ...ASSOCIATION_FILTERS],
  },
  "answers.create": {
    body: {
      conversation: {
        kind: "conversation",
        write: (id) => ({ messages: [{ role: "user", content: "How many deals are there?" }], conversation: id }),
      },
    },
  },
  "conversations.list": {},
  "conversations.get": { path: { id: "conversation" } },
  "conversations.delete": { path: { id: "conversation" } },
  "conversations.deleteAll": {},
  "library.uploadToLibrary": {
    plain: ["form"],
    body: {
      competitor_id: { kind: "competitor", write: intel((id) => ({ competitor_id: id })) },
      competitor_name: { kind: "competitor", write: intel((id) => ({ competitor_name: id })), alike: true },
      replaces: { kind: "document", write: intel((id) => ({ competitor_id: "comp_same", replaces: id })) },
    },
  },
  "library.uploadToDeal": {
    plain: ["form"],
    body: {
      replaces: { kind: "document", write: upload((id) => ({ deal_id: "d_same", replaces: id })) },
      deal_id: { kind: "deal", write: upload((id) => ({ deal_id: id })) },
      crm_one_id: { kind: "crm_one", write: upload((id) => ({ crm_one_id: id })) },
      crm_two_id: { kind: "crm_two", write: upload((id) => ({ crm_two_id: id })) },
    },
  },
  "library.list": {
    query: { deal_id: [itself("deal")], competitor_id: [itself("competitor")], parent_id: [itself("document")] },
    plain: ["status", "type", "belongs_to", "searchQuery", "page_size", "cursor"],
  },
  "library.get": { path: { id: "document" } },
  "library.original": { path: { id: "document" } },
  "library.delete": { path: { id: "document" } },
  "library.reprocess": { path: { id: "document" } },
  "library.run": { path: { id: "run" } },
  "access.usage": {},
  "access.listKeys": {},
  "access.createKey": { body: {} },
  "access.rotateKey": { path: { id: "key" }, body: {} },
  "access.revokeKey": { path: { id: "key" }, plain: ["descendants"] },
  "webhooks.list": {},
  "webhooks.create": { body: {} },
  "webhooks.get": { path: { id: "webhook" } },
  "webhooks.update": { path: { id: "webhook" }, body: {} },
  "webhooks.delete": { path: { id: "webhook" } },
  "webhooks.rotate": { path: { id: "webhook" }, body: {} },
  "webhooks.deliveries": { path: { id: "webhook" }, plain: ["status", "page_size", "cursor"] },
  "webhooks.replay": {
    path: { id: "webhook" },
    body: { delivery_id: { kind: "delivery", write: (id) => ({ delivery_id: id }) } },
  },
  "webhooks.test": { path: { id: "webhook" } },
  "analysis.run": { path: { id: "deal" } },
  "analysis.runMany": {
    body: { "filters.deal_ids": { kind: "deal", write: (id) => ({ filters: { deal_ids: [id] } }) } },
  },
  "analysis.estimate": {
    body: { "filters.deal_ids": { kind: "deal", write: (id) => ({ filters: { deal_ids: [id] } }) } },
  },
  "analysis.progress": { path: { id: "run" } },
  "analysis.spending": {},
  "analysis.get": { path: { id: "deal" } },
  "analysis.judge": { path: { id: "deal", finding_id: "finding" }, body: {} },
  "analysis.verify": { path: { id: "deal" } },
  "analysis.queue": { plain: ["page_size", "cursor"] },
  "analysis.quality": {},
  "analysis.labels": { plain: ["cursor"] },
  "sessions.list": {},
  "sessions.createLink": {},
  "sessions.end": { path: { id: "session" } },
  "members.list": {},
  "members.put": { body: {} },
  "members.remove": { path: { id: "member" } },
  "grants.list": {},
  "grants.end": { path: { id: "grant" } },
  "views.list": { query: { board_id: [itself("board")] } },
  "views.create": {
    body: {
      board_id: {
        kind: "board",
        write: (id) => ({ name: "View", board_id: id, report: { subject: "deals", measures: ["deals"] } }),
      },
    },
  },
  "views.update": { path: { id: "view" }, body: {} },
  "views.delete": { path: { id: "view" } },
  "views.listBoards": {},
  "views.createBoard": { body: {} },
  "views.deleteBoard": { path: { id: "board" } },
  "audit.list": { plain: ["since", "types", "cursor"] },
  "changes.list": { plain: ["since", "types", "page_size"] },
  "workspace.get": {},
  "workspace.update": { body: {} },
  "workspace.list": { fixed: { kind: "stages" }, plain: ["searchQuery", "cursor"] },
  "workspace.put": {
    fixed: { kind: "segments" },
    path: { id: "segment" },
    body: {
      "filters.crm_filters": {
        kind: "property",
        // Creates nothing: the property must be known.
        write: (id) => ({ name: "probe", filters: { crm_filters: [{ property: id, operator: "is", value: "x" }] } }),
      },
    },
  },
  "workspace.delete": { fixed: { kind: "segments" }, path: { id: "segment" } },
  "workspace.getImport": { path: { id: "import" } },
  "workspace.undoImport": { path: { id: "import" } },
  "workspace.import": {
    plain: "type map dates decimal rates stage create encoding sheet empty keep_unmapped dry_run".split(" "),
    query: { plan_id: [itself("plan")] },
    body: {
      ...inRecord(DEAL_REFERENCES),
      "association.deal": { kind: "deal", write: (id) => associationOf({ id }) },
      "association.deal by crm_one_id": { kind: "crm_one", write: (id) => associationOf({ crm_one_id: id }) },
      "association.feature": {
        kind: "feature",
        write: (id) => ({ type: "association", deal: "d_same", feature: { id }, created_at: "2026-01-01" }),
      },
    },
  },
}
