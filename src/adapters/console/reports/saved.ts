import type { Input, Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { useQuery } from "../common/useQuery.ts"
import type { ReportQuery } from "./query.ts"

export type SavedView = Output<"views", "list">["data"][number]
export type SavedBoard = Output<"views", "listBoards">["data"][number]
type SavedReport = NonNullable<Input<"views", "create">["report"]>

/** The report of a view as its page takes it. */
export const readReport = ({ filters, report }: SavedView): ReportQuery | undefined =>
  report === null
    ? undefined
    : {
        subject: report.subject,
        measures: report.measures,
        groupBy: report.group_by ?? [],
        filters,
        compare: report.compare,
        orderBy: report.order_by,
        limit: report.limit,
        chart: report.chart,
      }

export const savedReport = ({
  subject,
  measures,
  groupBy,
  compare,
  orderBy,
  limit,
  chart,
}: ReportQuery): SavedReport => ({
  subject,
  measures,
  ...(groupBy.length > 0 && { group_by: groupBy }),
  ...(compare !== undefined && { compare }),
  ...(orderBy !== undefined && { order_by: orderBy }),
  ...(limit !== undefined && { limit }),
  ...(chart !== undefined && { chart }),
})

/** Whether the server lets this session change it. */
export const mayChange = ({ own, shared }: Pick<SavedView, "own" | "shared">): boolean =>
  own || (shared && may(current().session, "workspace.manage"))

export const useBoards = () => useQuery(["boards"], (signal) => client.views.listBoards({}, { signal }))

export const useReportsOf = (boardId: string) =>
  useQuery(["views", boardId], (signal) => client.views.list({ board_id: boardId }, { signal }))

export const useViews = () => useQuery(["views"], (signal) => client.views.list({}, { signal }))

/** Loads views and boards again after a change. */
export const refresh = () =>
  Promise.all(["views", "boards"].map((name) => queries.invalidateQueries({ queryKey: [name] })))
