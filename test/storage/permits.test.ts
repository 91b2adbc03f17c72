import { assert, describe, it } from "@effect/vitest"
import {
  NOBODY,
  MAX_OWED_MS,
  MAX_WAITING,
  Permits,
  type Ticket,
  WORK_CLASSES,
  type WorkClass,
} from "../../src/core/storage/Permits.ts"
import { ALL } from "../support/extent.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"

/** The rules by themselves: all that wait in one list, and the next is the least of those that fit. */
class Simulation {
  readonly size: number
  running: Array<Ticket> = []
  waiting: Array<Ticket> = []
  readonly served = new Map<string, number>()
  readonly grantedMs = new Map<Ticket, number>()
  turn = 0
  owedMs = 0

  constructor(size: number) {
    this.size = size
  }

  enter(ticket: Ticket) {
    const isKnown = [...this.running, ...this.waiting].some(({ org }) => org === ticket.org)
    if (!isKnown) this.served.set(ticket.org, this.turn)
    this.turn++
    this.waiting.push(ticket)
  }

  leave(ticket: Ticket, nowMs: number) {
    if (this.running.includes(ticket)) {
      const tookMs = nowMs - this.grantedMs.get(ticket)!
      this.owedMs = ticket.workClass === "short" ? Math.max(0, this.owedMs - tookMs) : Math.min(tookMs, MAX_OWED_MS)
    }
    this.running = this.running.filter((other) => other !== ticket)
    this.waiting = this.waiting.filter((other) => other !== ticket)
  }

  held = (org: string) => this.running.filter((ticket) => ticket.org === org).length
  count = (workClass: WorkClass) => this.running.filter((ticket) => ticket.workClass === workClass).length

  fits({ workClass }: Ticket) {
    const long = this.count("heavy") + this.count("background")
    return this.running.length < this.size && (workClass === "short" || long < Math.max(1, this.size - 2))
  }

  isBeyond({ org, workClass }: Ticket) {
    if (org !== NOBODY && this.held(org) >= Math.max(1, Math.floor(this.size / 2))) return true
    if (this.size === 1) return workClass !== "short" && this.owedMs > 0
    return workClass === "background" && this.count("background") >= Math.max(1, Math.floor(this.size / 4))
  }

  /** Grants all that fit, in order. */
  grant(nowMs: number): ReadonlyArray<Ticket> {
    const granted: Array<Ticket> = []
    for (;;) {
      const keyOf = (ticket: Ticket) => {
        const age = Math.floor((nowMs - ticket.sinceMs) / 1000)
        const rank = Math.max(0, WORK_CLASSES.indexOf(ticket.workClass) - age)
        return [Number(this.isBeyond(ticket)), rank, this.held(ticket.org), this.served.get(ticket.org)!, ticket.number]
      }
      // A line is served in order.
      const heads = this.waiting.filter(
        (one) => !this.waiting.some((other) => other.number < one.number && sameLine(one, other)),
      )
      const [next] = heads
        .filter((ticket) => this.fits(ticket))
        .map((ticket) => ({ ticket, key: keyOf(ticket) }))
        .toSorted((a, b) => a.key.map((value, n) => value - b.key[n]!).find((difference) => difference !== 0) ?? 0)
      if (next === undefined) return granted
      this.waiting = this.waiting.filter((other) => other !== next.ticket)
      this.running.push(next.ticket)
      this.served.set(next.ticket.org, ++this.turn)
      this.grantedMs.set(next.ticket, nowMs)
      granted.push(next.ticket)
    }
  }
}

const sameLine = (one: Ticket, other: Ticket) => one.org === other.org && one.workClass === other.workClass

describe("Permits", () => {
  for (const size of [1, 2, 3, 10]) {
    it(`grants ${size} as the rules alone would, lends no reserved one, and gets all back`, () => {
      const seed = seedOfRun(`permits ${size}`)
      for (let round = 0; round < (ALL ? 40 : 5); round++) {
        const random = makeRandom(seed * 1000 + round)
        const permits = new Permits(size)
        const simulation = new Simulation(size)
        const open: Array<Ticket> = []
        let nowMs = 0
        const orgs = [NOBODY, "a", "b", "c", "d"].slice(0, 2 + random.below(4))
        for (let step = 0; step < 300; step++) {
          nowMs += random.below(random.chance(0.1) ? 3000 : 50)
          if (open.length > 0 && random.chance(step > 200 ? 0.8 : 0.45)) {
            const [ticket] = open.splice(random.below(open.length), 1)
            const wasRunning = ticket!.state === "running"
            permits.leave(ticket!, nowMs)
            permits.leave(ticket!, nowMs)
            simulation.leave(ticket!, nowMs)
            if (wasRunning) simulation.grant(nowMs)
          } else {
            const ticket = permits.enter(random.pick(orgs), random.pick(WORK_CLASSES), nowMs)
            if (ticket === undefined) continue
            open.push(ticket)
            simulation.enter(ticket)
            simulation.grant(nowMs)
          }
          const expected = new Set(simulation.running)
          for (const ticket of open) assert.strictEqual(ticket.state, expected.has(ticket) ? "running" : "waiting")
          const { short, heavy, background } = permits.running
          assert.isAtMost(short + heavy + background, size)
          assert.isAtMost(heavy + background, Math.max(1, size - 2))
        }
        for (const ticket of open) permits.leave(ticket, nowMs)
        assert.deepStrictEqual(permits.running, { short: 0, heavy: 0, background: 0 })
        assert.deepStrictEqual(permits.waiting, { short: 0, heavy: 0, background: 0 })
        const all = Array.from({ length: size }, () => permits.enter("z", "short", nowMs)!)
        assert.isTrue(all.every(({ state }) => state === "running"))
      }
    })
  }

  it("lets one organization alone use every connection, and serves another next", () => {
    const permits = new Permits(10)
    const own = Array.from({ length: 12 }, () => permits.enter("a", "short", 0)!)
    assert.strictEqual(own.filter(({ state }) => state === "running").length, 10)
    const other = permits.enter("b", "short", 0)!
    permits.leave(own[0]!, 0)
    assert.strictEqual(other.state, "running")
    assert.strictEqual(own[10]!.state, "waiting")
  })

  it("keeps two connections for short work beside an organization's heavy work", () => {
    const permits = new Permits(10)
    const heavy = Array.from({ length: 12 }, () => permits.enter("a", "heavy", 0)!)
    assert.strictEqual(heavy.filter(({ state }) => state === "running").length, 8)
    assert.strictEqual(permits.enter("b", "short", 0)!.state, "running")
    assert.strictEqual(permits.enter("b", "short", 0)!.state, "running")
    const report = permits.enter("b", "heavy", 0)!
    permits.leave(heavy[0]!, 0)
    assert.strictEqual(report.state, "running")
  })

  it("gives short work as much time of one connection as long work took", () => {
    for (const workClass of ["heavy", "background"] as const) {
      const permits = new Permits(1)
      const first = permits.enter("a", workClass, 0)!
      const second = permits.enter("a", workClass, 0)!
      const lists = Array.from({ length: 3 }, () => permits.enter("b", "short", 500)!)
      permits.leave(first, 1_000)
      for (const [n, list] of lists.entries()) {
        assert.strictEqual(list.state, n < 2 ? "running" : "waiting")
        permits.leave(list, 1_000 + 600 * (n + 1))
      }
      assert.strictEqual(second.state, "running")
    }
  })

  it("owes short work no more than lets long work begin before its line times out", () => {
    const permits = new Permits(1)
    const chore = permits.enter("a", "background", 0)!
    const report = permits.enter("a", "heavy", 60_000)!
    const lists = Array.from({ length: 32 }, () => permits.enter("b", "short", 60_000)!)
    permits.leave(chore, 60_000)
    let nowMs = 60_000
    for (const list of lists) {
      if (report.state === "waiting") permits.leave(list, (nowMs += 500))
    }
    assert.strictEqual(report.state, "running")
    assert.strictEqual(nowMs, 60_000 + MAX_OWED_MS)
  })

  it("lets the next statement of a request come before long work, if it comes soon", () => {
    const soon: Array<(nowMs: number) => void> = []
    const permits = new Permits(1, (grant) => soon.push(grant))
    const first = permits.enter("a", "heavy", 0)!
    const second = permits.enter("a", "heavy", 0)!
    const key = permits.enter(NOBODY, "short", 900)!
    permits.leave(first, 9_000)
    permits.leave(key, 9_001)
    assert.strictEqual(second.state, "waiting")
    const list = permits.enter("b", "short", 9_001)!
    assert.strictEqual(list.state, "running")
    permits.leave(list, 9_002)
    for (const grant of soon.splice(0)) grant(9_003)
    assert.strictEqual(second.state, "running")
    permits.leave(second, 9_010)
    assert.strictEqual(permits.enter("a", "heavy", 9_010)!.state, "running")
    assert.deepStrictEqual(soon, [])
  })

  it("refuses the 33rd in a line of an organization, and nobody else's", () => {
    const permits = new Permits(1)
    permits.enter("a", "heavy", 0)
    const line = Array.from({ length: 33 }, () => permits.enter("a", "heavy", 0))
    assert.strictEqual(line.filter((ticket) => ticket !== undefined).length, MAX_WAITING.heavy)
    assert.isDefined(permits.enter("a", "short", 0))
    assert.isDefined(permits.enter("b", "heavy", 0))
  })
})
