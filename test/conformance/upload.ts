import assert from "node:assert/strict"
import { until } from "../support/until.ts"
import type { Client, Options, Reply } from "./Client.ts"

export const LIBRARY = "/documents/library"
export const DEALS = "/deals/documents"

/** Unique text, because the same bytes in the same place would be a duplicate. */
export const fresh = (words = "Acme cut its list price by a tenth.") =>
  `# Notes\n\n${words}\n\n${crypto.randomUUID()}\n`

const NOTES = { file_name: "notes.md", content_type: "text/markdown" }
const INTEL = { ...NOTES, type: "intel", competitor_id: "k_acme" }
const ATTACHED = { ...NOTES, deal_id: "d01" }

type Fields = Readonly<Record<string, string | Blob | undefined>>

/** Multipart with a file, unless `fields` set or unset one. */
const sendForm = (api: Client, path: string, fields: Fields, options: Options = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ file: new Blob([fresh()]), ...fields })) {
    if (value instanceof Blob) form.append(name, value, "notes.md")
    else if (value !== undefined) form.append(name, value)
  }
  return api.request(path, { ...options, method: "POST", body: form })
}

export const toLibrary = (api: Client, fields: Fields = {}, options: Options = {}) =>
  sendForm(api, LIBRARY, { ...INTEL, ...fields }, options)

export const toDeal = (api: Client, fields: Fields = {}, options: Options = {}) =>
  sendForm(api, DEALS, { ...ATTACHED, ...fields }, options)

/** JSON with the bytes, unless `fields` unset them. */
export const jsonTo = (
  api: Client,
  path: typeof LIBRARY | typeof DEALS,
  fields: Readonly<Record<string, unknown>> = {},
  options: Options = {},
) => {
  const base = path === LIBRARY ? INTEL : ATTACHED
  return api.post(path, { ...base, file_base64: btoa(fresh()), ...fields }, options)
}

export interface Uploaded {
  readonly document: { readonly id: string; readonly [field: string]: unknown }
  readonly run_id: string
  readonly duplicate?: boolean
}

/** Returns the body of an upload that must succeed. */
export const taken = async (reply: Reply | Promise<Reply>): Promise<Uploaded> => {
  const { status, text, json } = await reply
  assert.equal(status, 200, text)
  return json
}

/** Waits until the document has been processed. */
export const settled = (api: Client, id: string): Promise<any> =>
  until(`document ${id} is read`, async () => {
    const document = await api.get(`/documents/${id}`)
    return document.status !== "processing" && document
  })
