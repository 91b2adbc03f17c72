import type { RequestState } from "../http/CurrentRequest.ts"

/** The form that refused a sign-in. */
export type SignInPlace = "operator" | "console"

interface RefusedAddress {
  readonly place: SignInPlace
  readonly address: string | null
  reason: string
  attempts: number
  request_id: string
}

/** Addresses with a row of their own, of each place and between two writes. Those of a flood share another row, without an address. */
const MAX_ADDRESSES = 20

/** Counts refused sign-ins by place and address, in bounded memory. Keeps nothing of what was sent: it may be a mistyped key. */
export class RefusedAddresses {
  readonly #counted = new Map<string, RefusedAddress>()
  readonly #addresses = { operator: 0, console: 0 }

  count(place: SignInPlace, reason: string, request: RequestState): void {
    const { id } = request
    const from = request.address ?? null
    const isOfOwn = this.#counted.has(`${place} ${from}`) || this.#addresses[place] < MAX_ADDRESSES
    const address = isOfOwn ? from : null
    const name = `${place} ${address}`
    const known = this.#counted.get(name)
    if (known === undefined) {
      this.#counted.set(name, { place, address, reason, attempts: 1, request_id: id })
      if (address !== null) this.#addresses[place]++
    } else {
      Object.assign(known, { reason, attempts: known.attempts + 1, request_id: id })
    }
  }

  /** Returns what was counted, and begins anew. */
  take(): ReadonlyArray<RefusedAddress> {
    const taken = [...this.#counted.values()]
    this.#counted.clear()
    Object.assign(this.#addresses, { operator: 0, console: 0 })
    return taken
  }
}
