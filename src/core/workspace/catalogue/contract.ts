import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Conflict, NotFound, PayloadTooLarge, UnsupportedMediaType } from "../../http/errors.ts"
import { Id, Text } from "../../http/parameters.ts"
import { Entry, EntryPatch, OVERVIEW } from "./entries.ts"
import { CHANGEABLE, KINDS, PAGE_SIZE } from "./kinds.ts"
import { WorkspaceSettings, WorkspaceSettingsPatch } from "./settings.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S

const listed = (kinds: ReadonlyArray<string>) => kinds.map((kind) => `\`${kind}\``).join(", ")
const CHANGEABLE_KINDS = Object.keys(CHANGEABLE)

const kind = described(Schema.String, `One of ${listed(KINDS)}`)
const changeableKind = described(Schema.String, `One of ${listed(CHANGEABLE_KINDS)}`)

const ORDER = "Stages are in their order, all others by name."
const DEALS =
  "`deals` is how many deals are in the stage, belong to the owner, involve the competitor, reason or feature, fall into the segment, or have the value."

const BODY_ERRORS = [PayloadTooLarge.wire, UnsupportedMediaType.wire] as const

/** What a workspace is made of: read by any key, changed by those that may. */
export const CATALOGUE_ENDPOINTS = [
  HttpApiEndpoint.get("get", "/workspace", {
    success: Schema.Struct({ settings: WorkspaceSettings, ...OVERVIEW }).annotate({ identifier: "Workspace" }),
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Read the workspace",
      description: `The settings, and what filters and columns of this workspace may name: the first ${PAGE_SIZE} of each kind, each with its number of deals. \`has_more\`: \`GET /workspace/{kind}\` has the others. ${ORDER} ${DEALS} In a workspace of more than 5,000 deals the numbers are up to a minute old.`,
    }),
  ),
  HttpApiEndpoint.put("update", "/workspace", {
    payload: WorkspaceSettingsPatch,
    success: WorkspaceSettings,
    error: BODY_ERRORS,
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Change the settings",
      description: "Settings that the body leaves out stay as they are. The reply has all of them.",
    }),
  ),
  HttpApiEndpoint.get("list", "/workspace/:kind", {
    params: { kind },
    query: {
      searchQuery: Schema.optional(
        described(
          Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)),
          "names that hold this text, in any case; where none does, names like it",
        ),
      ),
      cursor: Schema.optional(
        described(
          Text.check(Schema.isMaxLength(8000)),
          "`next_cursor` of the page before, of the same kind and search",
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
      summary: "List one kind of what the workspace has",
      description: `${PAGE_SIZE} a page. ${ORDER} ${DEALS}`,
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
        "Fields that the body leaves out stay as they are, null clears. 201 where it is new. Deals show a new name at once, in lists, filters and exports; search and answers a moment later. A name that another of the kind has is refused with 409; features of different products may have one name.",
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
        "Refused with 409 while deals, documents or segments refer to it; the message and `details` say how many.",
    }),
  ),
] as const
