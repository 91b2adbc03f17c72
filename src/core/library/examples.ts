import { type Examples, json } from "../http/api/Example.ts"

const DOCUMENT = {
  id: "doc_9sWk3",
  file_name: "Orvanta battlecard",
  status: "processing",
  type: "intel",
  source: "api",
  content_type: "application/pdf",
  size_bytes: 182044,
  competitor_id: "comp_orvanta",
  deal_id: null,
  parent_id: null,
  version: 1,
  replaces: null,
  replaced_by: null,
  failure_reason: null,
  warnings: [],
  url: "https://sightline.example.com/viewer/documents/doc_9sWk3",
  created_at: "2026-04-02T08:00:00.000Z",
  updated_at: "2026-04-02T08:00:00.000Z",
}
const UPLOADED = { document: DOCUMENT, run_id: "run_2Hd8x" }
const DEAL_DOCUMENT = { ...DOCUMENT, type: "asset", competitor_id: null, deal_id: "deal_8f3k2" }
const BYTES = "(the bytes of the file)"

const libraryFields = {
  file_name: "Orvanta battlecard",
  content_type: "application/pdf",
  type: "intel",
  competitor_name: "Orvanta",
}
const dealFields = { file_name: "Hartwell call", content_type: "audio/mpeg", deal_id: "deal_8f3k2", source: "api" }

export const libraryExamples = {
  uploadToLibrary: {
    replies: "The document, and the run that reads it in the background.",
    query: { form: "1" },
    request: {
      "multipart/form-data": { ...libraryFields, file: BYTES },
      ...json({ ...libraryFields, file_url: "https://files.example.com/orvanta.pdf" }),
    },
    reply: json(UPLOADED),
  },
  uploadToDeal: {
    replies: "The document, and the run that reads or transcribes it in the background.",
    query: { form: "1" },
    request: {
      "multipart/form-data": { ...dealFields, file: BYTES },
      ...json({ ...dealFields, file_url: "https://files.example.com/call.mp3" }),
    },
    reply: json({ document: { ...DEAL_DOCUMENT, content_type: "audio/mpeg" }, run_id: "run_2Hd8x" }),
  },
  list: {
    replies: "A page of documents.",
    query: {
      status: "ready",
      type: "intel",
      deal_id: "deal_8f3k2",
      parent_id: "doc_4mAi1",
      competitor_id: "comp_orvanta",
      belongs_to: "competitor",
      searchQuery: "battlecard",
      page_size: 50,
      cursor: "eyJpZCI6ImRvY185c1drMyJ9",
    },
    reply: json({ data: [{ ...DOCUMENT, status: "ready" }], next_cursor: null }),
  },
  get: {
    path: { id: DOCUMENT.id },
    replies: "The document and its status.",
    reply: json({ ...DOCUMENT, status: "ready" }),
  },
  original: {
    path: { id: DOCUMENT.id },
    replies: "The file, byte for byte, with its own content type.",
    reply: { "application/octet-stream": BYTES },
  },
  delete: { path: { id: DOCUMENT.id }, replies: "The document is deleted." },
  reprocess: {
    path: { id: DOCUMENT.id },
    replies: "The document, and the run that reads it again.",
    reply: json(UPLOADED),
  },
  run: {
    path: { id: UPLOADED.run_id },
    replies: "The run's stage, progress and error.",
    reply: json({
      id: "run_2Hd8x",
      document_id: "doc_9sWk3",
      deal_id: null,
      import_id: null,
      status: "completed",
      stage: "completed",
      progress: 1,
      attempts: 1,
      error: null,
      warnings: [],
      attachments: [],
      created_at: "2026-04-02T08:00:00.000Z",
      started_at: "2026-04-02T08:00:00.300Z",
      ended_at: "2026-04-02T08:00:02.100Z",
    }),
  },
} satisfies Examples
