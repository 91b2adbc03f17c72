import assert from "node:assert/strict"
import { late } from "../support/until.ts"

/** A running service, and the keys that the checks may use. */
export interface Target {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Any role for reading. With `write`, an admin of an organization without valuable data. */
  readonly key: string
  /** The checks import a data set, and create and revoke keys. */
  readonly write: boolean
  /** False if the host refuses documents. */
  readonly readsDocuments?: boolean | undefined
  /** An admin key of a second organization. */
  readonly otherKey?: string | undefined
  /** A key of an organization on the smallest plan, whose own limit is above the plan's. */
  readonly smallKey?: string | undefined
  /** A key without the prefix. */
  readonly olderKey?: string | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: any
}

export interface Options {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
  /** Null sends no Authorization header. */
  readonly key?: string | null
  /** The check expects a 429, so the client does not wait and retry. */
  readonly wanted429?: boolean
}

export type Query = Readonly<Record<string, unknown>>

/** Writes strings unchanged and other values as JSON, as GET /deals expects its filters. */
export const search = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  ).toString()

const MAX_WAITS = 10

/** Sends requests to one target. After a 429, waits and retries. */
export class Client {
  readonly target: Target
  readonly origin: string
  /** Every method, path and status seen under the base path, to compare with the OpenAPI description. */
  readonly seen: Array<{ readonly method: string; readonly path: string; readonly status: number }> = []

  constructor(target: Target) {
    this.target = { ...target, baseUrl: target.baseUrl.replace(/\/+$/, "") }
    this.origin = new URL(this.target.baseUrl).origin
  }

  /** The key for requests that need no data: the second organization's, if there is one, to use its limits. */
  get spare(): string {
    return this.target.otherKey ?? this.target.key
  }

  async request(path: string, options: Options = {}): Promise<Reply> {
    const { method = "GET", headers = {}, body, key = this.target.key, wanted429 = false } = options
    const url = path.startsWith("http") ? path : `${this.target.baseUrl}${path}`
    for (let waits = 0; ; waits++) {
      const response = await fetch(url, {
        method,
        headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
        ...(body !== undefined && { body }),
        redirect: "manual",
      })
      const text = await response.text()
      if (url.startsWith(this.target.baseUrl)) {
        this.seen.push({ method, path: new URL(url).pathname, status: response.status })
      }
      if (response.status === 429 && !wanted429 && waits < MAX_WAITS) {
        await late(Number(response.headers.get("retry-after") ?? 1) * 1000)
        continue
      }
      const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== ""
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
    }
  }

  /** Returns the body of a GET that must succeed. */
  async get(path: string, query: Query = {}, options: Options = {}): Promise<any> {
    const reply = await this.request(withQuery(path, query), options)
    assert.equal(reply.status, 200, `${path}?${search(query)} answered ${reply.status}: ${reply.text.slice(0, 500)}`)
    return reply.json
  }

  /** Posts JSON. */
  post(path: string, body: unknown, options: Options = {}): Promise<Reply> {
    return this.request(path, {
      ...options,
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...options.headers },
    })
  }

  /** The ids of matching deals, in the order of the reply. */
  async ids(query: Query = {}): Promise<ReadonlyArray<string>> {
    const deals: ReadonlyArray<{ id: string }> = await this.get("/deals", { columns: "id", page_size: 100, ...query })
    return deals.map(({ id }) => id)
  }

  /** Returns the error of a GET that must be refused with 400. */
  async bad(path: string, query: Query | string, options: Options = {}): Promise<ApiError> {
    const address = typeof query === "string" ? `${path}?${query}` : withQuery(path, query)
    return refusal(await this.request(address, { key: this.spare, ...options }), 400, "bad_request")
  }
}

export interface ApiError {
  readonly code: string
  readonly message: string
  readonly details?: {
    readonly missing_fields?: ReadonlyArray<string>
    readonly unknown_fields?: ReadonlyArray<string>
    readonly invalid_fields?: ReadonlyArray<{
      readonly field: string
      readonly reason: string
      readonly did_you_mean?: string
    }>
    readonly scope?: string
    readonly request_id?: string
  }
}

const withQuery = (path: string, query: Query) => (Object.keys(query).length === 0 ? path : `${path}?${search(query)}`)

/** Contents that no message may show: a stack, a path of the server, SQL. */
const INTERNALS = /\n\s+at |node_modules|\.ts:\d|\bselect\b.*\bfrom\b|\bpg_|sightline\./i

/** Asserts an error in the API's envelope with this status and code. Returns the error. */
export const refusal = (reply: Reply, status: number, code: string): ApiError => {
  assert.equal(reply.status, status, `answered ${reply.status}, not ${status}: ${reply.text.slice(0, 500)}`)
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/)
  assert.deepEqual(Object.keys(reply.json), ["error"])
  const { error } = reply.json
  assert.equal(error.code, code)
  assert.equal(typeof error.message, "string")
  assert.ok(error.message.length > 0)
  assert.ok(error.details === undefined || (typeof error.details === "object" && error.details !== null))
  assert.deepEqual(
    Object.keys(error).filter((name) => !["code", "message", "details"].includes(name)),
    [],
  )
  assert.doesNotMatch(reply.text, INTERNALS)
  assert.match(reply.headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,128}$/)
  assert.equal(reply.headers.get("x-content-type-options"), "nosniff")
  assert.equal(reply.headers.get("cache-control"), "no-store")
  return error
}

/** The known fields that a 400 reports as invalid. */
export const invalidFields = (error: ApiError): ReadonlyArray<string> =>
  (error.details?.invalid_fields ?? [])
    .map(({ field }) => field)
    .filter((field) => !error.details?.unknown_fields?.includes(field))
