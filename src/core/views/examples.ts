import { type Examples, json } from "../http/api/Example.ts"

const view = {
  id: "view_4kQ9z",
  name: "Lost to Nimbrel this quarter",
  shared: true,
  own: true,
  created_by: "key_6Lp0a",
  created_at: "2026-04-02T08:00:00.000Z",
  updated_at: "2026-04-02T08:00:00.000Z",
  board_id: null,
  filters: { outcome: ["lost"], competitors: ["Nimbrel"], close_date: { period: "this_quarter" } },
  columns: ["name", "amount", "close_date"],
  sort: "amount",
  sort_order: "desc",
  report: null,
}

const board = {
  id: "board_7Tn2c",
  name: "Weekly review",
  shared: true,
  own: true,
  created_by: "key_6Lp0a",
  created_at: "2026-04-02T08:00:00.000Z",
  updated_at: "2026-04-02T08:00:00.000Z",
  reports: 0,
}

export const viewsExamples = {
  list: { query: { board_id: board.id }, replies: "The views that the caller sees.", reply: json({ data: [view] }) },
  create: {
    request: json({
      name: view.name,
      shared: true,
      filters: view.filters,
      columns: view.columns,
      sort: "amount",
      sort_order: "desc",
    }),
    replies: "The saved view.",
    reply: json(view),
  },
  update: {
    path: { id: view.id },
    request: json({ name: "Lost to Nimbrel" }),
    replies: "The changed view.",
    reply: json({ ...view, name: "Lost to Nimbrel" }),
  },
  delete: { path: { id: view.id }, replies: "The view is deleted." },
  listBoards: { replies: "The boards that the caller sees.", reply: json({ data: [board] }) },
  createBoard: { request: json({ name: board.name, shared: true }), replies: "The new board.", reply: json(board) },
  deleteBoard: { path: { id: board.id }, replies: "The board and its reports are deleted." },
} satisfies Examples
