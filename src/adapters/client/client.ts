import { streamAnswer } from "./answers.ts"
import type { Export } from "./contract/exports.ts"
import type { Client, Method, NewExport, SpecialMethods } from "./methods.ts"
import { ENDPOINTS } from "./endpoints.ts"
import type { CallOptions, ClientOptions } from "./options.ts"
import { makeList, nextCursorIn } from "./paging.ts"
import { importBody } from "./records.ts"
import { pathOf, makeRequest } from "./requests.ts"
import { retryAfterOf } from "./SightlineError.ts"
import { readJson, Transport } from "./Transport.ts"
import type { EndpointOf, GroupName, Output } from "./types.ts"
import { type DealUpload, type LibraryUpload, uploadBody, type UploadOptions } from "./upload.ts"
import { type Failed, type WaitOptions, waitUntil } from "./waiting.ts"

export type * from "./contract/contract.ts"
export type { AnswerEvent, Question, StreamQuestion } from "./answers.ts"
export type { Content } from "./Body.ts"
export type { Client, DealList, NewExport } from "./methods.ts"
export type { Deal, DealQuery, Filters, Row, RowOf, Selector } from "./deals.ts"
export type { CallOptions, ClientOptions, Progress } from "./options.ts"
export type { List } from "./paging.ts"
export type { Import } from "./records.ts"
export { SightlineError, type SightlineErrorCode } from "./SightlineError.ts"
export type { Flat, Input, Output } from "./types.ts"
export type { DealUpload, LibraryUpload, UploadOptions } from "./upload.ts"
export type { WaitOptions } from "./waiting.ts"

/** The server takes up to two minutes for an answer, and sends nothing before it is whole. */
const ANSWER_TIMEOUT_MS = 150_000
/** After a file has been sent, the server is silent while it works through the rest. */
const BODY_TIMEOUT_MS = 15 * 60_000

type Fields = Readonly<Record<string, unknown>>

/** Makes a client of a server, by default the one of the page. It keeps no connection and needs no closing. */
export const createClient = (options: ClientOptions = {}): Client => {
  const transport = new Transport(options)
  const json = (group: GroupName, endpoint: string) => (input?: Fields, options?: CallOptions) =>
    transport.run(makeRequest(group, endpoint as EndpointOf<GroupName>, input, options), readJson)
  const groups = Object.fromEntries(
    Object.entries(ENDPOINTS).map(([group, endpoints]) => [
      group,
      Object.fromEntries(Object.keys(endpoints).map((endpoint) => [endpoint, json(group as GroupName, endpoint)])),
    ]),
  ) as unknown as Record<GroupName, Record<string, unknown>>
  for (const [group, methods] of Object.entries(pagedMethods(transport)))
    Object.assign(groups[group as GroupName], methods)
  for (const [group, methods] of Object.entries(specialMethods(transport)))
    Object.assign(groups[group as GroupName], methods)
  return Object.assign(groups, waitMethods(transport)) as unknown as Client
}

/** The lists, with the parameter that continues each. A missing list is a compile error. */
const CONTINUED_BY = {
  library: { list: "cursor" },
  workspace: { list: "cursor" },
  changes: { list: "since" },
  webhooks: { deliveries: "cursor" },
  audit: { list: "cursor" },
  analysis: { queue: "cursor", labels: "cursor" },
} as const satisfies PagedEndpoints

type PagedEndpoints = {
  readonly [G in GroupName as PagedIn<G> extends never ? never : G]: { readonly [E in PagedIn<G>]: string }
}
type PagedIn<G extends GroupName> = {
  [E in EndpointOf<G>]: Method<G, E> extends { readonly pages: unknown } ? E : never
}[EndpointOf<G>]

interface AnyPage {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor: string | null
  readonly has_more?: boolean
}

const pagedMethods = (transport: Transport) =>
  Object.fromEntries(
    Object.entries(CONTINUED_BY).map(([group, lists]) => [
      group,
      Object.fromEntries(
        Object.entries<string>(lists).map(([endpoint, parameter]) => {
          const load = async (input: Fields | undefined, options: CallOptions | undefined) => {
            const call = makeRequest(group as GroupName, endpoint as EndpointOf<GroupName>, input, options)
            const page = (await transport.run(call, readJson)) as AnyPage
            const isLast = page.next_cursor === null || page.has_more === false
            return { page, next: isLast ? undefined : { [parameter]: page.next_cursor } }
          }
          return [endpoint, makeList(load, (page) => page.data)]
        }),
      ),
    ]),
  )

const specialMethods = (transport: Transport): SpecialMethods => {
  const read = <A>(group: GroupName, endpoint: string, input?: object, options?: CallOptions) =>
    transport.run(
      makeRequest(group, endpoint as EndpointOf<GroupName>, input as Fields, options),
      readJson,
    ) as Promise<A>
  const listDeals = makeList(
    (input: Fields | undefined, options) =>
      transport.run(makeRequest("deals", "list", input, options), async (response, silence) => {
        const cursor = nextCursorIn(response.headers)
        const page = (await readJson(response, silence)) as ReadonlyArray<unknown>
        return { page, next: cursor === undefined ? undefined : { cursor, page_index: undefined } }
      }),
    (page) => page,
  )
  const upload =
    (endpoint: "uploadToLibrary" | "uploadToDeal") =>
    (given: LibraryUpload | DealUpload, { onProgress, ...options }: UploadOptions = {}) =>
      transport.run(
        {
          timeoutMs: BODY_TIMEOUT_MS,
          ...options,
          method: "POST",
          path: pathOf("library", endpoint),
          ...uploadBody(given, onProgress),
        },
        readJson,
      ) as Promise<Output<"library", "uploadToLibrary">>
  return {
    deals: {
      list: listDeals as unknown as SpecialMethods["deals"]["list"],
      count: async (filters, options) =>
        (await read<{ readonly count: number }>("deals", "list", { ...filters, count: true }, options)).count,
      get: (input, options) => read("deals", "get", input, options),
      update: (input, options) => read("deals", "update", input, options),
    },
    exports: {
      create: (input: NewExport, options) => read("exports", "create", input, options),
      download: async ({ download_url }, options = {}) => {
        if (download_url === null) throw new TypeError("the export has no file: wait until it is completed")
        // The server's own name for itself may differ from `baseUrl`.
        const path = download_url.slice(download_url.lastIndexOf("/exports/"))
        return transport.run({ ...options, method: "GET", path }, keepOpen)
      },
    },
    answers: {
      create: (question, options) => read("answers", "create", question, { timeoutMs: ANSWER_TIMEOUT_MS, ...options }),
      stream: (question, options) => streamAnswer(transport, question, options),
    },
    library: {
      uploadToLibrary: upload("uploadToLibrary"),
      uploadToDeal: upload("uploadToDeal"),
      original: (input, options) => transport.run(makeRequest("library", "original", input, options), keepOpen),
    },
    workspace: {
      import: (input, { onProgress, ...options } = {}) => {
        const { query, body } = importBody(input, onProgress)
        const path = pathOf("workspace", "import", query)
        const call = { timeoutMs: BODY_TIMEOUT_MS, ...options, method: "POST", path, body }
        return transport.run(call, readJson) as Promise<Output<"workspace", "import">>
      },
    },
  }
}

/** Leaves the body to the caller, without a time limit. */
const keepOpen = async (response: Response) => response

const waitMethods = (transport: Transport): Pick<Client, "waitForRun" | "waitForDocument" | "waitForExport"> => {
  const wait =
    <A>(group: GroupName, endpoint: string, parameter: string, stateOf: (state: A) => "ended" | "running" | Failed) =>
    (id: string, options?: WaitOptions<A>) =>
      waitUntil(
        (signal) =>
          transport.run(
            makeRequest(group, endpoint as EndpointOf<GroupName>, { [parameter]: id }, { signal }),
            async (response, silence) => ({
              state: (await readJson(response, silence)) as A,
              retryAfterMs: retryAfterOf(response.headers),
            }),
          ),
        stateOf,
        options,
      )
  return {
    waitForRun: wait<Output<"library", "run">>("library", "run", "id", ({ status, error }) => {
      if (status === "completed") return "ended"
      if (status === "queued" || status === "running") return "running"
      return { code: "run_failed", message: error ?? `the run is ${status}` }
    }),
    waitForDocument: wait<Output<"library", "get">>("library", "get", "id", ({ status, failure_reason }) => {
      if (status !== "failed") return status === "ready" ? "ended" : "running"
      return { code: "document_failed", message: failure_reason ?? "the document cannot be read" }
    }),
    waitForExport: wait<Export>("exports", "get", "export_id", ({ status, error }) => {
      if (status !== "failed") return status === "completed" ? "ended" : "running"
      return { code: "export_failed", message: error ?? "the export failed" }
    }),
  }
}
