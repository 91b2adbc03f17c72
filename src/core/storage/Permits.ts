/**
 * The classes of work in the database, by their order in a line.
 * - `short`: lists, counts, one record, keys.
 * - `heavy`: reports, searches, questions, counts of a workspace, cited figures.
 * - `background`: imports, reading, exports, webhooks, analysis, chores.
 */
export const WORK_CLASSES = ["short", "heavy", "background"] as const
export type WorkClass = (typeof WORK_CLASSES)[number]

/** The organization of statements that have none, such as the look-up of a key. It has no share. */
export const NOBODY = ""

/** How many wait in one line: a class of an organization. Jobs bound their own number. */
export const MAX_WAITING = { short: 32, heavy: 32, background: 256, nobody: 1_000 } as const

/** Work in the line rises by a class for each of these, so that none waits forever. */
const AGING_MS = 1_000

/** The most that long work owes on one connection: a flood of short work must not keep it waiting until its line times out, after 5 s. */
export const MAX_OWED_MS = 2_000

/** One acquisition. `onGrant` is called once, unless it was granted at once. */
export interface Ticket {
  readonly org: string
  readonly workClass: WorkClass
  readonly number: number
  readonly sinceMs: number
  state: "waiting" | "running" | "gone"
  /** When it was granted, or 0 while it waits. */
  grantedMs: number
  onGrant: (() => void) | undefined
}

interface Tenant {
  held: number
  readonly running: Record<WorkClass, number>
  readonly waiting: Record<WorkClass, Array<Ticket>>
  /** The turn of its last permit. */
  served: number
}

const noTickets = () => ({ short: 0, heavy: 0, background: 0 })

/**
 * Shares the connections of this process among organizations and classes of work. A free permit goes to work within its share before work
 * beyond it, then by class, then to the organization that holds the fewest, then to the one that was served longest ago, then to the first
 * come. Permits that nobody else wants go beyond the shares; only the connections kept for short work are never lent.
 */
export class Permits {
  readonly size: number
  /** Heavy and background work together: a running statement cannot be set aside when a short one comes. */
  readonly mostLong: number
  readonly backgroundShare: number
  readonly organizationShare: number
  readonly running = noTickets()
  readonly waiting = noTickets()
  readonly #tenants = new Map<string, Tenant>()
  readonly #later: ((grant: (nowMs: number) => void) => void) | undefined
  #number = 0
  /** The time of one connection that long work took, and short work has not had since. */
  #owedMs = 0
  #pauses = 0

  /** `later` calls back soon, once a request whose statement has ended has asked for its next one. */
  constructor(size: number, later?: (grant: (nowMs: number) => void) => void) {
    this.size = size
    this.#later = later
    this.mostLong = Math.max(1, size - 2)
    this.backgroundShare = Math.max(1, Math.floor(size / 4))
    this.organizationShare = Math.max(1, Math.floor(size / 2))
  }

  /** Returns a ticket, or undefined if its line is full. Each ticket must `leave`. */
  enter(org: string, workClass: WorkClass, nowMs: number): Ticket | undefined {
    let tenant = this.#tenants.get(org)
    if (tenant === undefined) {
      // A newcomer comes after those that wait already, not before all of them each time.
      const waiting = { short: [], heavy: [], background: [] }
      tenant = { held: 0, running: noTickets(), waiting, served: this.#number }
      this.#tenants.set(org, tenant)
    }
    const line = tenant.waiting[workClass]
    if (line.length >= (org === NOBODY ? MAX_WAITING.nobody : MAX_WAITING[workClass])) return undefined
    const number = ++this.#number
    const ticket: Ticket = {
      org,
      workClass,
      number,
      sinceMs: nowMs,
      state: "waiting",
      grantedMs: 0,
      onGrant: undefined,
    }
    line.push(ticket)
    this.waiting[workClass]++
    this.#grantAll(nowMs)
    return ticket
  }

  /** Ends a ticket in any state; again, it does nothing. */
  leave(ticket: Ticket, nowMs: number): void {
    const { state, org, workClass } = ticket
    const tenant = this.#tenants.get(org)
    if (state === "gone" || tenant === undefined) return
    ticket.state = "gone"
    if (state === "waiting") {
      tenant.waiting[workClass].splice(tenant.waiting[workClass].indexOf(ticket), 1)
      this.waiting[workClass]--
    } else {
      tenant.held--
      tenant.running[workClass]--
      this.running[workClass]--
    }
    if (tenant.held === 0 && WORK_CLASSES.every((each) => tenant.waiting[each].length === 0)) this.#tenants.delete(org)
    if (state !== "running") return
    if (this.size === 1) this.#share(ticket, nowMs)
    this.#grantAll(nowMs)
  }

  /** One connection cannot be kept for short work, so long work owes it as much time as it took, and lets its next statement come first. */
  #share({ workClass, grantedMs }: Ticket, nowMs: number): void {
    const tookMs = Math.max(0, nowMs - grantedMs)
    if (workClass !== "short") {
      this.#owedMs = Math.min(tookMs, MAX_OWED_MS)
      return
    }
    this.#owedMs = Math.max(0, this.#owedMs - tookMs)
    if (this.#owedMs === 0 || this.#later === undefined) return
    this.#pauses++
    this.#later((laterMs) => {
      this.#pauses--
      this.#grantAll(laterMs)
    })
  }

  /** How many of a class an organization runs, and may run at once now. */
  standingOf(org: string, workClass: WorkClass) {
    const tenant = this.#tenants.get(org)
    const alone = workClass === "short" ? this.size : this.mostLong
    const isShared = [...this.#tenants].some(
      ([other, { waiting }]) => other !== org && WORK_CLASSES.some((each) => waiting[each].length > 0),
    )
    const most = isShared ? Math.min(alone, this.organizationShare) : alone
    return { running: tenant?.running[workClass] ?? 0, waiting: tenant?.waiting[workClass].length ?? 0, most, isShared }
  }

  #grantAll(nowMs: number): void {
    const granted: Array<Ticket> = []
    for (let next = this.#next(nowMs); next !== undefined; next = this.#next(nowMs)) {
      const { ticket, tenant } = next
      const { workClass } = ticket
      tenant.waiting[workClass].shift()
      this.waiting[workClass]--
      tenant.held++
      tenant.running[workClass]++
      this.running[workClass]++
      tenant.served = ++this.#number
      ticket.state = "running"
      ticket.grantedMs = nowMs
      granted.push(ticket)
    }
    // A holder may run, and leave, within its call.
    for (const { onGrant } of granted) onGrant?.()
  }

  #next(nowMs: number) {
    const { short, heavy, background } = this.running
    const fitsLong = heavy + background < this.mostLong && this.#pauses === 0
    if (short + heavy + background >= this.size) return undefined
    let best: { readonly ticket: Ticket; readonly tenant: Tenant; readonly order: ReadonlyArray<number> } | undefined
    for (const [org, tenant] of this.#tenants) {
      for (const [index, workClass] of WORK_CLASSES.entries()) {
        const ticket = tenant.waiting[workClass][0]
        if (ticket === undefined || (workClass !== "short" && !fitsLong)) continue
        const rank = Math.max(0, index - Math.floor((nowMs - ticket.sinceMs) / AGING_MS))
        const isBeyond = this.#isBeyondShare(org, tenant, workClass)
        const order = [isBeyond ? 1 : 0, rank, tenant.held, tenant.served, ticket.number]
        if (best === undefined || isBefore(order, best.order)) best = { ticket, tenant, order }
      }
    }
    return best
  }

  #isBeyondShare(org: string, { held }: Tenant, workClass: WorkClass): boolean {
    if (org !== NOBODY && held >= this.organizationShare) return true
    if (this.size === 1) return workClass !== "short" && this.#owedMs > 0
    return workClass === "background" && this.running.background >= this.backgroundShare
  }
}

const isBefore = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at >= 0 && one[at]! < other[at]!
}
