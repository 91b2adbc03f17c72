import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Announces inside this process which organization committed changes, so that workers need not poll for them. A spurious
 * announcement costs one look at the database; a missing one delays work until the next poll.
 */
export class CommitSignal {
  readonly #listeners = new Set<(org: string) => void>()

  announce(org: string): void {
    for (const listener of this.#listeners) listener(org)
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (org: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

/** Shared by the whole process. */
export const Commits = Context.Reference("sightline/storage/Commits", { defaultValue: () => new CommitSignal() })

/** Call it after a commit that `Database.transaction` does not announce: it announces recorded changes by itself. */
export const announceCommit = (org: string): Effect.Effect<void> =>
  Effect.map(Commits, (commits) => commits.announce(org))
