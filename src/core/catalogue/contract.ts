import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { BODY_ERRORS, Conflict, NotFound } from "../http/errors/errors.ts"
import { Id, Text } from "../http/values/parameters.ts"
import { importRecords } from "../import/contract.ts"
import { getImport, undoImport } from "../import/undo/contract.ts"
import { Idempotency } from "../replies/Idempotency.ts"
import { Duplicates, Entry, EntryPatch, OVERVIEW } from "./entries.ts"
import { CHANGEABLE, KINDS, PAGE_SIZE } from "./kinds.ts"
import { WorkspaceSettings, WorkspaceSettingsPatch } from "./settings.ts"
import { described } from "../http/values/described.ts"

const quoteAll = (kinds: ReadonlyArray<string>) => kinds.map((kind) => `\`${kind}\``).join(", ")
const CHANGEABLE_KINDS = Object.keys(CHANGEABLE)

const kind = described(Schema.String, `One of ${quoteAll(KINDS)}`)
const changeableKind = described(Schema.String, `One of ${quoteAll(CHANGEABLE_KINDS)}`)

const ORDER = "Stages come in their order, everything else by name."
const DEALS =
  "`deals` is how many deals are in the stage, belong to the owner, involve the competitor, reason or feature, fall into the segment, or have the value."

export interface WorkspaceSchema extends Schema.Struct<
  { readonly settings: typeof WorkspaceSettings; readonly duplicates: typeof Duplicates } & typeof OVERVIEW
> {}
const Workspace: WorkspaceSchema = Schema.Struct({
  settings: WorkspaceSettings,
  ...OVERVIEW,
  duplicates: Duplicates,
}).annotate({
  identifier: "Workspace",
})

/** The settings and names of a workspace. Every key may read them; changing them needs a permission. */
const CATALOGUE_ENDPOINTS = [
  HttpApiEndpoint.get("get", "/workspace", {
    success: Workspace,
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Read the workspace",
      description: `Returns the settings and the names that filters and columns accept: the first ${PAGE_SIZE} of each kind, each with its number of deals. If \`has_more\` is true, \`GET /workspace/{kind}\` has the others. ${ORDER} ${DEALS} In a workspace of more than 5,000 deals the numbers are up to a minute old.`,
    }),
  ),
  HttpApiEndpoint.put("update", "/workspace", {
    payload: WorkspaceSettingsPatch,
    success: WorkspaceSettings,
    error: BODY_ERRORS,
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Change the settings",
      description: "Settings that the body omits stay unchanged. The reply has all settings.",
    }),
  ),
  HttpApiEndpoint.get("list", "/workspace/:kind", {
    params: { kind },
    query: {
      searchQuery: Schema.optional(
        described(
          Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)),
          "Names that contain this text, ignoring case; if there are none, similar names.",
        ),
      ),
      cursor: Schema.optional(
        described(
          Text.check(Schema.isMaxLength(8000)),
          "The `next_cursor` of the previous page of the same kind and search.",
        ),
      ),
    },
    success: Schema.Struct({
      data: Schema.Array(Entry),
      has_more: Schema.Boolean,
      next_cursor: Schema.NullOr(Schema.String),
    }).annotate({ identifier: "WorkspaceEntries" }),
    error: NotFound.wire,
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List one kind of names",
      description: `Returns ${PAGE_SIZE} per page. ${ORDER} ${DEALS}`,
    }),
  ),
  HttpApiEndpoint.put("put", "/workspace/:kind/:id", {
    params: { kind: changeableKind, id: Id },
    payload: EntryPatch,
    success: [Entry, Entry.pipe(HttpApiSchema.status(201))],
    error: [NotFound.wire, Conflict.wire, ...BODY_ERRORS],
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Create or change a stage, competitor, reason, feature, segment, metric or answer",
      description:
        "Fields that the body omits stay unchanged; null clears a field. Returns 201 if it is new. Lists, filters and exports show a new name at once, search and answers a moment later. A name that another one of this kind has is refused with 409; features of different products can share a name.",
    }),
  ),
  HttpApiEndpoint.delete("delete", "/workspace/:kind/:id", {
    params: { kind: changeableKind, id: Id },
    success: HttpApiSchema.NoContent,
    error: [NotFound.wire, Conflict.wire],
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a stage, competitor, reason, feature, segment, metric or answer",
      description:
        "Refused with 409 while deals, documents or segments refer to it. The message and `details` say how many.",
    }),
  ),
] as const

export const WorkspaceGroup = HttpApiGroup.make("workspace")
  .add(importRecords.middleware(Idempotency), getImport, undoImport, ...CATALOGUE_ENDPOINTS)
  .annotate(OpenApi.Description, "The workspace's settings and names, and the import of records")
