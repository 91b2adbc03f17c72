import { Body, type Content } from "./Body.ts"
import type { ImportRecord } from "./contract/records.ts"
import type { WorkspaceImportInput } from "./contract/workspace.ts"
import type { Progress } from "./options.ts"

/** Records to import: objects, NDJSON, CSV, or a file of any kind that the server reads, which its bytes decide. */
export type Import = WorkspaceImportInput & Records

type Records =
  | { readonly records: Iterable<ImportRecord> | AsyncIterable<ImportRecord> }
  | { readonly ndjson: Content }
  | { readonly csv: Content }
  | { readonly file: Content }

/** The body of an import, and its query. */
export const importBody = (
  given: Import,
  report?: (progress: Progress) => void,
): { readonly query: WorkspaceImportInput; readonly body: Body } => {
  if ("csv" in given) {
    const { csv, ...query } = given
    return { query, body: new Body("text/csv", [csv], report) }
  }
  if ("file" in given) {
    const { file, ...query } = given
    return { query, body: new Body("application/octet-stream", [file], report) }
  }
  if ("ndjson" in given) {
    const { ndjson, ...query } = given
    return { query, body: new Body("application/x-ndjson", [ndjson], report) }
  }
  const { records, ...query } = given
  const content = Symbol.asyncIterator in records ? encoded(records) : [...records].map(lineOf).join("")
  return { query, body: new Body("application/x-ndjson", [content], report) }
}

const lineOf = (record: ImportRecord) => `${JSON.stringify(record)}\n`

async function* encoded(records: AsyncIterable<ImportRecord>) {
  const encoder = new TextEncoder()
  for await (const record of records) yield encoder.encode(lineOf(record))
}
