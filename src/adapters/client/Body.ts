import type { Progress } from "./options.ts"

/** The content of a file. A one-shot stream cannot be sent again, so a call with one is not retried; a function opens it again. */
export type Content =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | (() => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>)

type Source = Exclude<Content, () => unknown>
const isStream = (source: Source): source is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> =>
  !(source instanceof Blob || typeof source === "string" || source instanceof ArrayBuffer || ArrayBuffer.isView(source))

const isBrowser = () => typeof XMLHttpRequest === "function"

/** A body of bytes that is not JSON. */
export class Body {
  readonly contentType: string
  /** False if the content is a stream that was given open. */
  readonly isReplayable: boolean
  readonly #parts: ReadonlyArray<Content>
  readonly #report: ((progress: Progress) => void) | undefined

  constructor(contentType: string, parts: ReadonlyArray<Content>, report?: (progress: Progress) => void) {
    this.contentType = contentType
    this.#parts = parts
    this.#report = report
    this.isReplayable = parts.every((part) => typeof part === "function" || !isStream(part))
  }

  /** Sends the body. `onBytes` runs whenever some of it is sent. */
  async send(send: typeof fetch | undefined, url: string, init: RequestInit, onBytes: () => void): Promise<Response> {
    const sources = this.#parts.map((part) => (typeof part === "function" ? part() : part))
    const blob = sources.some(isStream) ? undefined : new Blob(sources as Array<BlobPart>)
    const progress = (sentBytes: number, totalBytes = blob?.size) => {
      onBytes()
      this.#report?.({ sentBytes, totalBytes })
    }
    // Browsers have no progress in `fetch` and, over HTTP/1.1, no streams in requests.
    if (!isBrowser()) {
      const body = counted(sources, progress)
      return (send ?? fetch)(url, { ...init, body, duplex: "half" } as RequestInit)
    }
    const whole = blob ?? (await new Response(counted(sources, onBytes)).blob())
    return send === undefined ? sendByXhr(url, init, whole, progress) : send(url, { ...init, body: whole })
  }
}

/** Joins the sources, and reports the bytes that were read so far. */
const counted = (sources: ReadonlyArray<Source>, progress: (sentBytes: number) => void): ReadableStream<Uint8Array> => {
  const chunks = readChunks(sources)
  let sentBytes = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) return controller.close()
      controller.enqueue(value)
      sentBytes += value.length
      progress(sentBytes)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
}

async function* readChunks(sources: ReadonlyArray<Source>): AsyncGenerator<Uint8Array, undefined> {
  for (const source of sources) yield* isStream(source) ? source : new Blob([source as BlobPart]).stream()
  return undefined
}

/** Sends by `XMLHttpRequest`, which reports the progress of an upload. */
export const sendByXhr = (
  url: string,
  init: RequestInit,
  body: Blob,
  progress: (sent: number, total: number) => void,
) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? "POST", url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.responseType = "blob"
    request.withCredentials = init.credentials === "include"
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(loaded, total))
    request.addEventListener("load", () => {
      const lines = request
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/)
      const headers = lines.filter(Boolean).map((line) => splitOnce(line))
      resolve(new Response(request.response as Blob, { status: request.status, headers }))
    })
    for (const event of ["error", "abort"]) request.addEventListener(event, () => reject(new TypeError("no reply")))
    const stop = () => request.abort()
    init.signal?.addEventListener("abort", stop, { once: true })
    request.addEventListener("loadend", () => init.signal?.removeEventListener("abort", stop))
    if (init.signal?.aborted) reject(new TypeError("no reply"))
    else request.send(body)
  })

const splitOnce = (line: string): [string, string] => {
  const colon = line.indexOf(":")
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
