import { makeIndex } from "./nameIndex.ts"
import type { KnownName, WorkspaceNames } from "../words/names.ts"

/** The names of a workspace that every question can mean, with their index. */
export type CommonNames = Pick<WorkspaceNames, "names" | "stages" | "metrics" | "categories">

const MAX_BYTES = 64 * 1024 * 1024
/** Bytes of a name's object and the heads of its two texts. */
const BYTES_PER_NAME = 120
/** Bytes of an entry without names. */
const ENTRY_BYTES = 2_000

interface Entry {
  readonly revision: string
  readonly names: CommonNames
  readonly bytes: number
}

/**
 * Caches the names of organizations in memory, one state of each. A state is the organization's last number in the feed of changes: every
 * writer of what is cached advances it in its transaction. Evicts the organizations that asked longest ago.
 */
export class RecentNames {
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  get(org: string, revision: string): CommonNames | undefined {
    const found = this.#entries.get(org)
    if (found?.revision !== revision) return undefined
    // The entries are in order of use.
    this.#entries.delete(org)
    this.#entries.set(org, found)
    return found.names
  }

  put(org: string, revision: string, names: CommonNames): void {
    this.#delete(org)
    const bytes = estimateBytes(names)
    this.#entries.set(org, { revision, names, bytes })
    this.bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.bytes <= this.#maxBytes) return
      this.#delete(oldest)
    }
  }

  #delete(org: string): void {
    this.bytes -= this.#entries.get(org)?.bytes ?? 0
    this.#entries.delete(org)
  }
}

/** Two bytes a character, which names outside of Latin-1 take. */
const estimateBytes = ({ names }: CommonNames): number =>
  ENTRY_BYTES +
  makeIndex(names).bytes +
  names.reduce((sum: number, { name, value }: KnownName) => sum + BYTES_PER_NAME + 2 * (name.length + value.length), 0)
