import type { Client, Target } from "./Client.ts"
import type { Imported } from "./dataset.ts"

/**
 * What a check needs beside a base URL and a key: `deals`, that the workspace holds some; `write`, that keys may be made;
 * `data`, the data set of these checks; `other`, `small`, `older`: those keys.
 */
export type Need = "deals" | "write" | "data" | "other" | "small" | "older"

/** One sentence of the specification or of the contract, checked over HTTP. It throws when the sentence does not hold. */
export interface Check {
  readonly name: string
  readonly needs: ReadonlyArray<Need>
  readonly run: (api: Client, imported: Imported) => Promise<void>
}

/** Checks of one section, each named by what must hold. */
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
      case "other":
        return target.otherKey !== undefined
      case "small":
        return target.smallKey !== undefined
      default:
        return target.olderKey !== undefined
    }
  })
