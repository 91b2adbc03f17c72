import { type Examples, json } from "../http/api/Example.ts"

export const exportsExamples = {
  create: {
    replies: "The export is queued. `Location` has the address of its progress.",
    request: json({
      columns: ["name", "amount", "close_date", "client_name", "competitors"],
      filters: { status: ["Won"], close_date: { from: "2026-01-01", to: "2026-03-31" } },
    }),
    reply: json({ export_id: "exp_4Tq9wLm2", status: "pending" }),
  },
  get: {
    path: { export_id: "exp_4Tq9wLm2" },
    replies: "The export's progress and, once it is completed, its download.",
    reply: json({
      export_id: "exp_4Tq9wLm2",
      status: "completed",
      progress: 1,
      row_count: 218,
      file_size: 40112,
      created_at: "2026-04-02T08:00:00.000Z",
      started_at: "2026-04-02T08:00:01.000Z",
      completed_at: "2026-04-02T08:00:03.000Z",
      download_url: "https://sightline.example.com/exports/exp_4Tq9wLm2?signature=kQ3f",
      download_expires_at: "2026-04-09T08:00:03.000Z",
      download_expired: false,
      record_expires_at: "2026-05-02T08:00:00.000Z",
      warnings: [],
      error: null,
    }),
  },
  delete: { path: { export_id: "exp_4Tq9wLm2" }, replies: "The export and its file are deleted." },
} satisfies Examples
