import * as Context from "effect/Context"
import { isRecord } from "../common/isRecord.ts"
import { orNearest } from "../common/nearest.ts"
import { shown } from "../common/options.ts"

/** Kinds of work that a process can do several times at once. */
const CONCURRENT_KINDS = ["document", "recording", "recognition", "export", "analysis", "undo", "webhooks"] as const

/** The kinds of background work, as `tick`, runs and metrics name them. `upkeep` is all work at intervals, such as retention. */
const WORK_KINDS = [...CONCURRENT_KINDS, "records", "vectors", "upkeep"] as const

export type ConcurrentKind = (typeof CONCURRENT_KINDS)[number]
export type WorkKind = (typeof WORK_KINDS)[number]

/** The background work of one process. */
export interface BackgroundChoice {
  /** The kinds of work that this process does; by default all. */
  readonly kinds?: ReadonlyArray<WorkKind> | undefined
  /** How many of each kind this process does at once. A number is for each kind of jobs, and leaves `webhooks` as it is. */
  readonly concurrency?: number | { readonly [Kind in ConcurrentKind]?: number | undefined } | undefined
}

const MAX_CONCURRENCY = 1000

/** This process's work, from the option `background`. */
export interface OwnWork {
  /** Whether this process works by itself; if false, only `tick` does. */
  readonly isOn: boolean
  readonly does: (kind: string) => boolean
  /** How many of a kind at once. */
  readonly concurrencyOf: (kind: string, byDefault: number) => number
}

export const ownWorkOf = (background: boolean | BackgroundChoice = true): OwnWork => {
  const { kinds, concurrency } = typeof background === "boolean" ? {} : background
  const each: Readonly<Record<string, number | undefined>> = typeof concurrency === "object" ? concurrency : {}
  const ofJobs = typeof concurrency === "number" ? concurrency : undefined
  return {
    isOn: background !== false,
    does: (kind) => kinds === undefined || kinds.some((each) => each === kind),
    concurrencyOf: (kind, byDefault) => each[kind] ?? (kind === "webhooks" ? byDefault : (ofJobs ?? byDefault)),
  }
}

export const OwnWork = Context.Reference<OwnWork>("sightline/jobs/OwnWork", { defaultValue: () => ownWorkOf() })

const PARTS = ["kinds", "concurrency"] as const
const COUNT = `a whole number from 1 to ${MAX_CONCURRENCY}`

/** Lists the problems of the option `background`, each as the rest of a sentence. */
export const problemsOfBackground = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "boolean") return []
  if (!isRecord(value)) return [`must be true, false, or an object of kinds and concurrency, not ${shown(value)}`]
  const unknown = Object.keys(value).filter((name) => !PARTS.some((part) => part === name))
  return [
    ...unknown.map((name) => `has '${name}'${orNearest(name, PARTS, "; it has")}`),
    ...problemsOfKinds(value["kinds"]),
    ...problemsOfConcurrency(value["concurrency"], value["kinds"]),
  ]
}

const problemsOfKinds = (kinds: unknown): ReadonlyArray<string> => {
  if (kinds === undefined) return []
  if (!Array.isArray(kinds) || kinds.length === 0)
    return [`must have a list of one or more kinds, such as ["document"]; the kinds are ${WORK_KINDS.join(", ")}`]
  return kinds
    .filter((kind) => !WORK_KINDS.some((each) => each === kind))
    .map((kind) => `has ${shown(kind)} among its kinds${orNearest(String(kind), WORK_KINDS, "; the kinds are")}`)
}

const problemsOfConcurrency = (concurrency: unknown, kinds: unknown): ReadonlyArray<string> => {
  if (concurrency === undefined || isCount(concurrency)) return []
  if (!isRecord(concurrency))
    return [`has ${shown(concurrency)} as concurrency; it must be ${COUNT}, or an object of numbers by kind`]
  return Object.entries(concurrency).flatMap(([kind, count]) => problemOfCount(kind, count, kinds) ?? [])
}

const problemOfCount = (kind: string, count: unknown, kinds: unknown): string | undefined => {
  if (WORK_KINDS.some((each) => each === kind) && !CONCURRENT_KINDS.some((each) => each === kind))
    return `has a concurrency of '${kind}', of which a process does one at a time; leave it out`
  if (!CONCURRENT_KINDS.some((each) => each === kind))
    return `has a concurrency of '${kind}'${orNearest(kind, CONCURRENT_KINDS, "; the kinds are")}`
  if (count !== undefined && !isCount(count))
    return `has ${shown(count)} as concurrency of '${kind}'; it must be ${COUNT}`
  return Array.isArray(kinds) && !kinds.includes(kind)
    ? `has a concurrency of '${kind}', which is not among its kinds; add it there, or leave it out`
    : undefined
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CONCURRENCY
