import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeId } from "../common/ids.ts"
import type { Job } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { type Attachment, attachmentsUnread, type Warning } from "../ports/document.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import { Database } from "../storage/Database.ts"
import { MAX_BYTES } from "./Originals.ts"
import { originalKey } from "./removal.ts"

/** Bytes at each end of a file that identify its type. */
const END_BYTES = 65_536
/** Mails inside mails: deeper attachments are named, not read. */
const MAX_DEPTH = 3

/** Extensions that are not their format's name. */
const ALIASES: Readonly<Record<string, string>> = { htm: "html", markdown: "md", text: "txt", log: "txt" }

/** The row of a document that was attached to another. */
export interface AttachedRow {
  readonly id: string
  readonly parent_id: string
  readonly type: string
  readonly source: string
  readonly file_name: string
  readonly content_type: string
  readonly competitor_id: string | null
  readonly deal_id: string | null
  readonly file_url: null
  readonly size_bytes: number
  readonly sha256: string
}

interface Parent {
  readonly type: string
  readonly source: string
  readonly competitor_id: string | null
  readonly deal_id: string | null
  readonly depth: number
}

const TOO_DEEP = `mails inside more than ${MAX_DEPTH} others are not read. Upload them by themselves.`
const UNKNOWN = "attachments of these types are not read."

/**
 * Stores the files of a mail's attachments, and returns the rows of the new documents and a warning that names the attachments
 * that cannot be read. A file that an earlier reading found is not stored again. If the rows are never inserted, the daily sweep removes the files.
 */
export const storeAttachments = Effect.fnUntraced(function* (job: Job, attachments: ReadonlyArray<Attachment>) {
  const none = { rows: [] as ReadonlyArray<AttachedRow>, warnings: [] as ReadonlyArray<Warning> }
  if (attachments.length === 0) return none
  const { sql, scoped } = yield* Database
  const blobs = yield* BlobStore
  const reader = yield* DocumentReader
  const [parent] = yield* scoped<Parent>(
    job.org,
    sql`with recursive chain as (
        select parent_id, 1 as depth from documents where org_id = scope.org and id = ${job.subject}
        union all
        select d.parent_id, c.depth + 1 from documents d join chain c on d.id = c.parent_id
        where d.org_id = scope.org and c.depth <= ${MAX_DEPTH}::int
      )
      select type, source, competitor_id, deal_id, (select max(depth) from chain)::int as depth
      from documents where org_id = scope.org and id = ${job.subject}`,
  )
  if (parent === undefined) return none
  const names = attachments.map(({ fileName }) => fileName)
  if (parent.depth > MAX_DEPTH) return { ...none, warnings: [attachmentsUnread(names, TOO_DEEP)] }
  const known = yield* scoped<{ sha256: string }>(
    job.org,
    sql`select sha256 from documents where org_id = scope.org and parent_id = ${job.subject}`,
  )
  const seen = new Set(known.map(({ sha256 }) => sha256))

  /** The first type under which the file is accepted: the stated one, the extension's, plain text. */
  const chooseType = ({ fileName, contentType, bytes }: Attachment) => {
    const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ""
    const named = reader.contentTypes.find((type) => reader.formatOf(type) === (ALIASES[extension] ?? extension))
    return [contentType, named].find(
      (type) =>
        type !== undefined &&
        reader.refusal(type, bytes.subarray(0, END_BYTES), bytes.subarray(-END_BYTES)) === undefined,
    )
  }

  const rows: Array<AttachedRow> = []
  const unread: Array<string> = []
  for (const attachment of attachments) {
    const content_type = chooseType(attachment)
    if (content_type === undefined || attachment.bytes.length > MAX_BYTES.document) {
      unread.push(attachment.fileName)
      continue
    }
    const id = yield* makeId("doc")
    const { size, sha256 } = yield* blobs.put(originalKey(job.org, id), Stream.make(attachment.bytes))
    if (seen.has(sha256)) yield* blobs.remove(originalKey(job.org, id))
    else {
      const { type, source, competitor_id, deal_id } = parent
      const place = { parent_id: job.subject, type, source, competitor_id, deal_id }
      rows.push({
        ...place,
        id,
        file_name: attachment.fileName,
        content_type,
        file_url: null,
        size_bytes: size,
        sha256,
      })
    }
    seen.add(sha256)
  }
  return { rows, warnings: unread.length === 0 ? [] : [attachmentsUnread(unread, UNKNOWN)] }
})
