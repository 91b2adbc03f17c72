import type * as Effect from "effect/Effect"

/** Work that becomes due by itself or by a request: jobs, deliveries, stale records. */
export interface Work<R> {
  /** The name that the SQL function `due_work` returns when work is due. */
  readonly name: string
  /** Runs when the database has due work of this name, in `org` or in any organization, before the work wakes. */
  readonly onDue?: (org?: string) => void
  /** Does some due work; returns how much: 0 if none is due. */
  readonly round: Effect.Effect<number, unknown, R>
  /** Loops that run rounds at the same time; 1 by default. */
  readonly loops?: number
  /** Waits for what rounds left running; only `tick` needs it. */
  readonly settle?: Effect.Effect<void>
  /** Whether a commit of this organization may have made work; then the commit wakes it. */
  readonly followsCommits?: (org: string) => Effect.Effect<boolean, unknown>
  /** The time between a wake-up and its round. */
  readonly delayMs?: number
  /** Runs after a round without work, before the loop waits, so that a burst of wake-ups causes few rounds. */
  readonly rest?: Effect.Effect<void>
  /** The pause after a failed round; 2 s by default. */
  readonly retryMs?: number
  /** The embedding model whose missing vectors make work. */
  readonly model?: string
}

/** Work that is due at intervals. Of several processes, one does it. */
export interface Chore<R> {
  readonly name: string
  readonly everySeconds: number
  readonly run: Effect.Effect<unknown, unknown, R>
  /** Each process does its own. */
  readonly isLocal?: boolean
}
