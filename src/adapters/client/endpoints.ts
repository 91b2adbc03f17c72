// `npm run client` writes this file from the contract.
import type { Routes } from "./types.ts"

/** The method of each endpoint, and its path after `/api/v1`. */
export const ENDPOINTS = {
  deals: {
    list: "GET /deals",
    get: "GET /deals/:id",
    update: "PATCH /deals/:id",
    delete: "DELETE /deals/:id",
    stages: "GET /deals/:id/stages",
  },
  exports: {
    create: "POST /deals/export",
    get: "GET /deals/export/:export_id",
    delete: "DELETE /deals/export/:export_id",
  },
  intelligence: {
    export: "GET /product-intelligence",
    delete: "DELETE /product-intelligence/:id",
  },
  reports: {
    deals: "GET /deals/report",
    associations: "GET /product-intelligence/report",
  },
  answers: {
    create: "POST /responses",
  },
  library: {
    uploadToLibrary: "POST /documents/library",
    uploadToDeal: "POST /deals/documents",
    list: "GET /documents",
    get: "GET /documents/:id",
    original: "GET /documents/:id/original",
    delete: "DELETE /documents/:id",
    reprocess: "POST /documents/:id/reprocess",
    run: "GET /runs/:id",
  },
  access: {
    usage: "GET /usage",
    listKeys: "GET /keys",
    createKey: "POST /keys",
    rotateKey: "POST /keys/:id/rotate",
    revokeKey: "DELETE /keys/:id",
  },
  workspace: {
    import: "POST /import",
    getImport: "GET /import/:id",
    undoImport: "POST /import/:id/undo",
    get: "GET /workspace",
    update: "PUT /workspace",
    list: "GET /workspace/:kind",
    put: "PUT /workspace/:kind/:id",
    delete: "DELETE /workspace/:kind/:id",
  },
  changes: {
    list: "GET /changes",
  },
  webhooks: {
    list: "GET /webhooks",
    create: "POST /webhooks",
    get: "GET /webhooks/:id",
    update: "PATCH /webhooks/:id",
    delete: "DELETE /webhooks/:id",
    rotate: "POST /webhooks/:id/rotate",
    deliveries: "GET /webhooks/:id/deliveries",
    replay: "POST /webhooks/:id/replay",
    test: "POST /webhooks/:id/test",
  },
  audit: {
    list: "GET /audit",
  },
  analysis: {
    run: "POST /deals/:id/analysis",
    runMany: "POST /deals/analysis",
    estimate: "POST /deals/analysis/estimate",
    progress: "GET /analysis/runs/:id",
    spending: "GET /analysis/spending",
    get: "GET /deals/:id/analysis",
    judge: "PATCH /deals/:id/analysis/findings/:finding_id",
    verify: "POST /deals/:id/analysis/verify",
    queue: "GET /analysis/queue",
    quality: "GET /analysis/quality",
    labels: "GET /analysis/labels",
  },
  sessions: {
    list: "GET /sessions",
    createLink: "POST /sessions",
    end: "DELETE /sessions/:id",
  },
  grants: {
    list: "GET /grants",
    end: "DELETE /grants/:id",
  },
  members: {
    list: "GET /members",
    put: "POST /members",
    remove: "DELETE /members/:id",
  },
  views: {
    list: "GET /views",
    create: "POST /views",
    update: "PATCH /views/:id",
    delete: "DELETE /views/:id",
    listBoards: "GET /boards",
    createBoard: "POST /boards",
    deleteBoard: "DELETE /boards/:id",
  },
  conversations: {
    list: "GET /conversations",
    get: "GET /conversations/:id",
    delete: "DELETE /conversations/:id",
    deleteAll: "DELETE /conversations",
  },
} as const satisfies Routes

/** The content type of a file, by its extension. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  html: "text/html",
  vtt: "text/vtt",
  srt: "application/x-subrip",
  eml: "message/rfc822",
  msg: "application/vnd.ms-outlook",
  rtf: "application/rtf",
  odt: "application/vnd.oasis.opendocument.text",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  m4a: "audio/mp4",
  mp4: "video/mp4",
}
