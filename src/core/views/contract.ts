import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../replies/Idempotency.ts"
import { DealFilters } from "../deals/filters/filters.ts"
import { selectorProblem } from "../deals/columns/selectors.ts"
import { SORT_ORDERS, SORTS } from "../deals/columns/sorting.ts"
import { dateTime, described } from "../http/values/described.ts"
import { BODY_ERRORS, Conflict, NotFound } from "../http/errors/errors.ts"
import { Id, Text } from "../http/values/parameters.ts"
import { COMPARISONS, MAX_DIMENSIONS, MAX_LIMIT, MAX_MEASURES } from "../reports/limits.ts"
import { CHARTS } from "./charts.ts"

const MAX_COLUMNS = 100

const reportFields = {
  subject: described(Schema.Literals(["deals", "associations"]), "Which of the two reports."),
  measures: Schema.Array(Text.check(Schema.isMaxLength(200))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(MAX_MEASURES),
  ),
  group_by: Schema.optionalKey(
    Schema.Array(Text.check(Schema.isMaxLength(500))).check(Schema.isMaxLength(MAX_DIMENSIONS)),
  ),
  compare: Schema.optionalKey(Schema.Literals(COMPARISONS)),
  order_by: Schema.optionalKey(Text.check(Schema.isMaxLength(500))),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT }))),
  chart: Schema.optionalKey(described(Schema.Literals(CHARTS), "How the console draws it.")),
}
export interface SavedReportSchema extends Schema.Struct<typeof reportFields> {}
const SavedReport: SavedReportSchema = Schema.Struct(reportFields).annotate({
  identifier: "SavedReport",
  description: "The parameters of a report. Its filters are those of the view.",
})
export type SavedReport = typeof SavedReport.Type

const name = described(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)), "Its name for people.")
const shared = described(Schema.Boolean, "Whether everyone in the organization sees it. If not, only its maker does.")

const content = {
  filters: Schema.optionalKey(DealFilters),
  columns: Schema.optionalKey(
    described(
      Schema.NullOr(
        Schema.Array(Text.check(Schema.isMaxLength(500), Schema.makeFilter(selectorProblem))).check(
          Schema.isMinLength(1),
          Schema.isMaxLength(MAX_COLUMNS),
        ),
      ),
      "The columns of a table of deals.",
    ),
  ),
  sort: Schema.optionalKey(Schema.NullOr(Schema.Literals(SORTS))),
  sort_order: Schema.optionalKey(Schema.NullOr(Schema.Literals(SORT_ORDERS))),
}

const own = {
  id: Schema.String,
  name: Schema.String,
  shared,
  own: described(Schema.Boolean, "Whether the caller made it."),
  created_by: described(Schema.String, "The key that made it."),
  created_at: dateTime,
  updated_at: dateTime,
}

const viewFields = {
  ...own,
  board_id: described(Schema.NullOr(Schema.String), "The board that shows its report."),
  filters: described(Schema.Record(Schema.String, Schema.Unknown), "The filters of GET /deals."),
  columns: Schema.NullOr(Schema.Array(Schema.String)),
  sort: Schema.NullOr(Schema.String),
  sort_order: Schema.NullOr(Schema.String),
  report: Schema.NullOr(SavedReport),
}
export interface ViewSchema extends Schema.Struct<typeof viewFields> {}
const View: ViewSchema = Schema.Struct(viewFields).annotate({ identifier: "View" })
export type View = typeof View.Type

const newFields = {
  name,
  shared: Schema.optionalKey(described(Schema.Boolean, "False by default. On a board, the board's.")),
  board_id: Schema.optionalKey(described(Id, "Puts a report on this board.")),
  ...content,
  report: Schema.optionalKey(SavedReport),
}
export interface NewViewSchema extends Schema.Struct<typeof newFields> {}
export const NewView: NewViewSchema = Schema.Struct(newFields).annotate({ identifier: "NewView" })
export type NewView = typeof NewView.Type

const patchFields = {
  name: Schema.optionalKey(name),
  shared: Schema.optionalKey(shared),
  ...content,
  report: Schema.optionalKey(SavedReport),
}
export interface ViewPatchSchema extends Schema.Struct<typeof patchFields> {}
export const ViewPatch: ViewPatchSchema = Schema.Struct(patchFields).annotate({ identifier: "ViewPatch" })
export type ViewPatch = typeof ViewPatch.Type

const boardFields = { ...own, reports: described(Schema.Int, "The number of its reports.") }
export interface BoardSchema extends Schema.Struct<typeof boardFields> {}
const Board: BoardSchema = Schema.Struct(boardFields).annotate({ identifier: "Board" })
export type Board = typeof Board.Type

export const NewBoard = Schema.Struct({
  name,
  shared: Schema.optionalKey(described(Schema.Boolean, "False by default. It does not change later.")),
}).annotate({ identifier: "NewBoard" })
export type NewBoard = typeof NewBoard.Type

const one = { params: { id: Id }, error: NotFound.wire } as const
const CHANGE_ERRORS = [NotFound.wire, Conflict.wire, ...BODY_ERRORS] as const
const CHANGED_BY = "Its maker may, and anyone with workspace.manage if it is shared."

export const ViewsGroup = HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("list", "/views", {
      query: {
        board_id: Schema.optional(described(Id, "Only the reports of this board, oldest first.")),
      },
      success: Schema.Struct({ data: Schema.Array(View) }).annotate({ identifier: "ViewList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List saved views",
        description:
          "Lists the caller's own views and shared ones, by name. Those on boards are listed by board alone.",
      }),
    ),
    HttpApiEndpoint.post("create", "/views", {
      payload: NewView,
      success: View.pipe(HttpApiSchema.status(201)),
      error: CHANGE_ERRORS,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Save a view",
          description: "Saves filters with the columns of a table, or with a report.",
        }),
      ),
    HttpApiEndpoint.patch("update", "/views/:id", {
      params: { id: Id },
      payload: ViewPatch,
      success: View,
      error: CHANGE_ERRORS,
    }).annotateMerge(OpenApi.annotations({ summary: "Change a saved view", description: CHANGED_BY })),
    HttpApiEndpoint.delete("delete", "/views/:id", { ...one, success: HttpApiSchema.NoContent }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a saved view", description: CHANGED_BY }),
    ),
    HttpApiEndpoint.get("listBoards", "/boards", {
      success: Schema.Struct({ data: Schema.Array(Board) }).annotate({ identifier: "BoardList" }),
    }).annotateMerge(
      OpenApi.annotations({ summary: "List boards", description: "Lists the caller's own boards and shared ones." }),
    ),
    HttpApiEndpoint.post("createBoard", "/boards", {
      payload: NewBoard,
      success: Board.pipe(HttpApiSchema.status(201)),
      error: [Conflict.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotate(OpenApi.Summary, "Create a board"),
    HttpApiEndpoint.delete("deleteBoard", "/boards/:id", { ...one, success: HttpApiSchema.NoContent }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a board and its reports", description: CHANGED_BY }),
    ),
  )
  .annotate(OpenApi.Description, "Saved filters, columns and reports, and boards of reports")
