import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../access/permissions.ts"
import { makeId } from "../common/ids.ts"
import { Conflict, NotFound } from "../http/errors/errors.ts"
import { badRequest, type Invalid } from "../http/validation/validation.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import type { NewView, View, ViewPatch } from "./contract.ts"
import {
  countBoards,
  countViews,
  deleteBoard,
  deleteView,
  insertBoard,
  insertView,
  lockBoard,
  lockView,
  MAX_BOARDS_PER_KEY,
  MAX_REPORTS_PER_BOARD,
  MAX_VIEWS_PER_KEY,
  selectBoards,
  selectViews,
  updateView,
  type ViewRow,
} from "./sql.ts"
import { problemsOfReport } from "./reportNames.ts"
import { Views } from "./Views.ts"

export const layerViews = Layer.effect(
  Views,
  Effect.gen(function* () {
    const { sql, scoped, transaction } = yield* Database

    /** Lets one request of the organization at a time count and insert. */
    const serialize = ({ organizationId }: Caller) =>
      sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.views ${organizationId}`}, 0))`

    /** The board's sharing, which its reports have too. */
    const readSharing = Effect.fnUntraced(function* (caller: Caller, boardId: string) {
      const [board] = yield* lockBoard(sql, caller, boardId)
      return board?.is_shared ?? (yield* new NotFound({ message: "no board that you can change has this id" }))
    })

    return Views.of({
      list: (caller, boardId) => scoped<View>(caller.organizationId, selectViews(sql, caller, boardId)),
      create: Effect.fn("Views.create")(function* (caller, view) {
        const invalid = problemsOf(view)
        if (invalid.length > 0) return yield* badRequest({ invalid })
        const id = yield* makeId("view")
        return yield* transaction(
          caller.organizationId,
          Effect.gen(function* () {
            const { board_id: boardId, shared = false } = view
            yield* serialize(caller)
            const isShared = boardId === undefined ? shared : yield* readSharing(caller, boardId)
            const [counts] = yield* countViews(sql, caller, boardId)
            if ((counts?.own ?? 0) >= MAX_VIEWS_PER_KEY) return yield* tooMany("a key", MAX_VIEWS_PER_KEY, "views")
            if ((counts?.on_board ?? 0) >= MAX_REPORTS_PER_BOARD)
              return yield* tooMany("a board", MAX_REPORTS_PER_BOARD, "reports")
            const [made] = yield* insertView(sql, caller, id, rowOf(view, isShared))
            return made!
          }),
        )
      }),
      update: Effect.fn("Views.update")(function* (caller, id, patch) {
        return yield* transaction(
          caller.organizationId,
          Effect.gen(function* () {
            const [held] = yield* lockView(sql, caller, id)
            if (held === undefined) return yield* noView
            const invalid = [
              ...(patch.report === undefined ? [] : problemsOfReport(patch.report)),
              ...problemsOfPatch(held, patch),
            ]
            if (invalid.length > 0) return yield* badRequest({ invalid })
            const [changed] = yield* updateView(sql, caller, id, changesOf(patch))
            return changed ?? (yield* noView)
          }),
        )
      }),
      remove: Effect.fn("Views.remove")(function* (caller, id) {
        const removed = yield* transaction(caller.organizationId, deleteView(sql, caller, id))
        if (removed.length === 0) return yield* noView
      }),
      listBoards: (caller) => scoped(caller.organizationId, selectBoards(sql, caller)),
      createBoard: Effect.fn("Views.createBoard")(function* (caller, { name, shared = false }) {
        const id = yield* makeId("board")
        return yield* transaction(
          caller.organizationId,
          Effect.gen(function* () {
            yield* serialize(caller)
            const [counts] = yield* countBoards(sql, caller)
            if ((counts?.own ?? 0) >= MAX_BOARDS_PER_KEY) return yield* tooMany("a key", MAX_BOARDS_PER_KEY, "boards")
            const [made] = yield* insertBoard(sql, caller, { id, name, is_shared: shared })
            return made!
          }),
        )
      }),
      removeBoard: Effect.fn("Views.removeBoard")(function* (caller, id) {
        const removed = yield* transaction(caller.organizationId, deleteBoard(sql, caller, id))
        if (removed.length === 0) return yield* noBoard
      }),
    })
  }).pipe(inOrganization),
)

const noView = new NotFound({ message: "no view that you can change has this id" })
const noBoard = new NotFound({ message: "no board that you can change has this id" })

const tooMany = (owner: string, most: number, what: string) =>
  new Conflict({ message: `${owner} has at most ${most} ${what}; delete one first` })

const BOTH: Invalid = {
  field: "columns",
  reason: "must not come with a report: a view is a table of deals or a report",
}

const problemsOf = ({ board_id, shared, columns, report }: typeof NewView.Type): ReadonlyArray<Invalid> => [
  ...(report === undefined ? [] : problemsOfReport(report)),
  ...(columns != null && report !== undefined ? [BOTH] : []),
  ...(board_id !== undefined && report === undefined
    ? [{ field: "board_id", reason: "must come with a report: a board shows reports" }]
    : []),
  ...(board_id !== undefined && shared !== undefined
    ? [{ field: "shared", reason: "must not come with `board_id`: a report is shared as its board is" }]
    : []),
]

const problemsOfPatch = (
  held: Pick<View, "board_id" | "columns" | "report">,
  { shared, columns = held.columns, report = held.report ?? undefined }: typeof ViewPatch.Type,
): ReadonlyArray<Invalid> => [
  ...(columns != null && report !== undefined ? [BOTH] : []),
  ...(shared !== undefined && held.board_id !== null
    ? [{ field: "shared", reason: "must not change: a report on a board is shared as the board is" }]
    : []),
]

const rowOf = (
  { name, board_id, filters = {}, columns = null, sort = null, sort_order = null, report }: typeof NewView.Type,
  is_shared: boolean,
): ViewRow => ({
  name,
  is_shared,
  board_id: board_id ?? null,
  filters: JSON.stringify(filters),
  columns,
  sort,
  sort_order,
  report: report === undefined ? null : JSON.stringify(report),
})

const changesOf = ({ shared, filters, report, ...plain }: typeof ViewPatch.Type): Partial<ViewRow> => ({
  ...plain,
  ...(shared !== undefined && { is_shared: shared }),
  ...(filters !== undefined && { filters: JSON.stringify(filters) }),
  ...(report !== undefined && { report: JSON.stringify(report) }),
})
