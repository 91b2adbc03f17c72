/** The organizations in which the workers of one kind look for their next job: those that enqueued one here, or all. */
export class NextClaims {
  #inAll = true
  readonly #orgs = new Set<string>()

  /** Jobs of any organization may be due. */
  wantAll(): void {
    this.#inAll = true
  }

  want(org: string): void {
    this.#orgs.add(org)
  }

  /** Takes the next place to look in; undefined if there is none. Several organizations are served in the order that the database decides. */
  take(): Place | undefined {
    if (!this.#inAll && this.#orgs.size === 0) return undefined
    const [first] = this.#orgs
    const place = this.#inAll || this.#orgs.size > 1 ? {} : { org: first! }
    this.#inAll = false
    this.#orgs.clear()
    return place
  }

  /** Looks there again: it had a job, or the look failed. */
  putBack({ org }: Place): void {
    if (org === undefined) this.wantAll()
    else this.want(org)
  }
}

/** One organization, or all. */
export interface Place {
  readonly org?: string
}
