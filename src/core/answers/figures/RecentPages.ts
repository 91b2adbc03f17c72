import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** A page that was computed. */
export interface RecentPage {
  readonly response: HttpServerResponse
  /** The size of the response's body. */
  readonly bytes: number
  readonly title: string
  /** The state of the workspace that it shows. */
  readonly state: string
  /** When its state was last compared, in monotonic milliseconds. */
  readonly checkedMs: number
}

const MAX_PAGES_BYTES = 64 * 1024 * 1024
/** The size of an entry without its body: headers, keys and the map. */
const ENTRY_BYTES = 2048

/** Caches pages in memory, those used last. A page counts twice, for its compressed forms. */
export class RecentPages {
  readonly #entries = new Map<string, RecentPage>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_PAGES_BYTES) {
    this.#maxBytes = maxBytes
  }

  get(key: string): RecentPage | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    // The entries are in order of use.
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  put(key: string, page: RecentPage): void {
    this.#remove(key)
    this.#entries.set(key, page)
    this.#bytes += weightOf(key, page)
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  #remove(key: string) {
    const page = this.#entries.get(key)
    if (page === undefined) return
    this.#entries.delete(key)
    this.#bytes -= weightOf(key, page)
  }
}

const weightOf = (key: string, { bytes, state, title }: RecentPage) =>
  2 * (bytes + key.length + state.length + title.length) + ENTRY_BYTES
