import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerRedis } from "../../src/adapters/limits/redis.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import type { Decision } from "../../src/core/access/decision.ts"
import { Database } from "../../src/core/storage/Database.ts"

/** The settings of a separate process that requests admission. */
export interface Setup {
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  /** The error of this process's wall clock. */
  readonly clockShiftMs: number
}

export interface Job {
  readonly tokens: ReadonlyArray<string>
  /** Attempts per token. 0: until the process is killed. */
  readonly attempts: number
}

export interface Reply {
  readonly decisions: ReadonlyArray<{ readonly token: string; readonly decision: Decision }>
}

const setup: Setup = JSON.parse(process.argv[2] ?? "")

const wallClock = Date.now.bind(Date)
Date.now = () => wallClock() + setup.clockShiftMs

const database = Database.layer.pipe(
  Layer.provide(layerPostgres({ url: Redacted.make(setup.databaseUrl), connections: 4 })),
)
const limits =
  setup.redisUrl === undefined ? Admission.layerDatabase : layerRedis({ url: Redacted.make(setup.redisUrl) })
const runtime = ManagedRuntime.make(limits.pipe(Layer.provide(database)))

const attempt = (token: string) =>
  Admission.use((admission) => Effect.map(admission.admit(token), (decision) => ({ token, decision })))

let admitted = 0
/** Tells the parent how many requests were admitted so far. */
const reportAdmitted = (attempts: Reply["decisions"]) =>
  Effect.sync(() => {
    admitted += attempts.filter(({ decision }) => decision.outcome === "admitted").length
    process.send?.({ admitted })
  })

const work = ({ tokens, attempts }: Job) =>
  attempts === 0
    ? Effect.forever(Effect.andThen(Effect.forEach(tokens, attempt, { concurrency: "unbounded" }), reportAdmitted))
    : Effect.forEach(
        Array.from({ length: attempts * tokens.length }, (_, index) => tokens[index % tokens.length] ?? ""),
        attempt,
        { concurrency: 16 },
      )

await runtime.context()
process.on("message", async (job: Job) => {
  const decisions = await runtime.runPromise(work(job))
  process.send?.({ decisions } satisfies Reply)
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
