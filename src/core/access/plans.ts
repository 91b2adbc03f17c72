import * as Context from "effect/Context"
import { isRecord } from "../common/isRecord.ts"
import { orNearest } from "../common/nearest.ts"
import { shown } from "../common/options.ts"
import { NO_LIMIT } from "../storage/noLimit.ts"

/** The plans that every installation has, in ascending order; docs/limits.md lists what each one allows. A host may define others. */
const BUILT_IN_PLANS = ["essentials", "growth", "enterprise"] as const

/** The name of a plan. The table `plans` has all of them. */
export type Plan = (typeof BUILT_IN_PLANS)[number] | (string & {})

/** Requests a minute of one identity of the embedding host, and of one session of the console. */
export const PERSON_REQUESTS_PER_MINUTE = 600

/** Requests a minute of an identity; null: no limit. */
export const IdentityRequests = Context.Reference<number | null>("sightline/access/IdentityRequests", {
  defaultValue: () => PERSON_REQUESTS_PER_MINUTE,
})

/** The number in the headers of a reply for "no limit". */
const SHOWN_NO_LIMIT = 1_000_000

export const shownLimit = (limit: number): number => (limit === NO_LIMIT ? SHOWN_NO_LIMIT : limit)

/** All identities of an organization together have this many times the requests a minute of its plan, and no fewer than one person. */
export const IDENTITIES_TIMES_PLAN = 10

/** `perMinute`: the plan's requests a minute, or `NO_LIMIT`. The function `admit_identity` computes the same. */
export const identitiesTogether = (perMinute: number): number =>
  Math.max(PERSON_REQUESTS_PER_MINUTE, Math.min(IDENTITIES_TIMES_PLAN * perMinute, NO_LIMIT))

const LIMITS = ["requestsPerMinute", "requestsPerKey", "requestsPerMonth", "exportsPerMonth"] as const
const NAME = /^[a-z0-9-]{1,40}$/

/** Whether a value limits requests: a whole number from 1, or null. */
export const isLimit = (value: unknown): value is number | null =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) < NO_LIMIT)

export const LIMIT_RULE = `a whole number from 1 to ${NO_LIMIT - 1}, or null for no limit`

/** Lists the problems of plans that a host defines, each as the rest of a sentence. */
export const problemsOfPlans = (value: unknown): ReadonlyArray<string> =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, limits]) => problemsOfPlan(name, limits))
    : [`must be an object of plans by name, such as { mine: { ${LIMITS.join(", ")} } }, not ${shown(value)}`]

const problemsOfPlan = (name: string, limits: unknown): ReadonlyArray<string> => {
  if (!NAME.test(name)) return [`has the name '${name}'; a name has 1 to 40 of a-z, 0-9 and -`]
  if (BUILT_IN_PLANS.some((each) => each === name))
    return [`cannot change '${name}', whose limits are fixed; choose another name`]
  if (!isRecord(limits)) return [`must give '${name}' an object of ${LIMITS.join(", ")}`]
  const unknown = Object.keys(limits).filter((key) => !LIMITS.some((each) => each === key))
  return [
    ...unknown.map((key) => `has '${name}.${key}', which is no limit${orNearest(key, LIMITS, "; the limits are")}`),
    ...LIMITS.flatMap((limit) => {
      const given = limits[limit]
      if (given === undefined) return [`lacks '${name}.${limit}'; it must be ${LIMIT_RULE}`]
      return isLimit(given) ? [] : [`has ${JSON.stringify(given)} as '${name}.${limit}'; it must be ${LIMIT_RULE}`]
    }),
  ]
}
