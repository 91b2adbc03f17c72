import type { Report } from "./contract.ts"

/** Rows of all entries together: some 20 MB. An entry counts as its rows and `ENTRY_WEIGHT`, for its key. */
const MAX_WEIGHT = 20_000
const ENTRY_WEIGHT = 20

/**
 * Caches reports in memory. Their keys have the organization's last number in the feed of changes: every writer of what a report reads
 * advances that in its transaction. Entries used last stay.
 */
export class RecentReports {
  readonly #entries = new Map<string, Report>()
  #weight = 0

  get(key: string): Report | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    // The entries are in order of use.
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  put(key: string, report: Report): void {
    if (this.#entries.has(key)) return
    this.#entries.set(key, report)
    this.#weight += weightOf(report)
    for (const [oldest, evicted] of this.#entries) {
      if (this.#weight <= MAX_WEIGHT) return
      this.#entries.delete(oldest)
      this.#weight -= weightOf(evicted)
    }
  }

  get size(): number {
    return this.#entries.size
  }
}

const weightOf = ({ data }: Report) => data.length + ENTRY_WEIGHT
