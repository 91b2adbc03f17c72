import type { Client, Target } from "./Client.ts"
import type { Imported } from "./dataset.ts"

/**
 * The needs of a check besides a base URL and a key: `deals`, a workspace with deals; `write`, a key that may create keys;
 * `data`, the data set of these checks; `documents`, a host that reads them; `no documents`, one that refuses them; `other`, `small`, `older`: those keys.
 */
export type Need = "deals" | "write" | "data" | "other" | "small" | "older" | "documents" | "no documents"

/** Checks one sentence of the specification or the contract over HTTP. Throws if it does not hold. */
export interface Check {
  readonly name: string
  readonly needs: ReadonlyArray<Need>
  readonly run: (api: Client, imported: Imported) => Promise<void>
}

/** The checks of one section. Each name is a fact that must hold. */
export const section = (
  title: string,
  needs: ReadonlyArray<Need>,
  checks: Readonly<Record<string, Check["run"]>>,
): ReadonlyArray<Check> => Object.entries(checks).map(([name, run]) => ({ name: `${title}, ${name}`, needs, run }))

/** Whether a target has what a check needs. */
export const runnable = (check: Check, target: Target, holdsDeals: boolean): boolean =>
  check.needs.every((need) => {
    switch (need) {
      case "deals":
        return holdsDeals
      case "write":
      case "data":
        return target.write
      case "documents":
        return target.readsDocuments !== false
      case "no documents":
        return target.readsDocuments === false
      case "other":
        return target.otherKey !== undefined
      case "small":
        return target.smallKey !== undefined
      default:
        return target.olderKey !== undefined
    }
  })
