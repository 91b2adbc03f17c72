import * as Effect from "effect/Effect"
import { Conflict } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import type { ImportFile } from "./Import.ts"
import { checkPlan, loadPlan, type StoredPlan } from "./planStore.ts"
import { isTable, type Opened } from "./table/Table.ts"
import { TABLE_OPTIONS } from "./tableOptions.ts"

/** The options that a plan decides, and the parameters that give them. */
const DECIDED = {
  ...TABLE_OPTIONS,
  dates: "dates",
  stages: "stage",
  create: "create",
  encoding: "encoding",
} as const satisfies Partial<Record<keyof ImportFile<never>, string>>

/** The plan by which a file is to be imported, and the options that it decided. Without `planId`, neither. */
export const readPlan = Effect.fnUntraced(function* <E>(org: string, given: ImportFile<E>) {
  const { planId } = given
  if (planId === undefined) return { file: given, stored: undefined }
  const decided = Object.entries(DECIDED).filter(([option]) => given[option as keyof typeof DECIDED] !== undefined)
  if (decided.length > 0) {
    const reason = "must be omitted: the plan of plan_id decides it. Make another plan with dry_run=true to change it"
    return yield* badRequest({ invalid: decided.map(([, field]) => ({ field, reason })) }, "query")
  }
  const stored = yield* loadPlan(org, planId)
  const { plan, file, dates, create, stages, keepUnmapped } = stored
  if (given.type !== undefined && given.type !== plan.type) {
    const reason = `must be omitted or ${plan.type}, the type of the plan`
    return yield* badRequest({ invalid: [{ field: "type", reason }] }, "query")
  }
  yield* checkPlan(org, stored)
  const options: ImportFile<E> = {
    ...given,
    type: plan.type,
    dates,
    create,
    stages,
    keepUnmapped,
    encoding: file.encoding,
    sheet: file.sheet,
  }
  return { file: options, stored }
})

/** Fails if the file is of another kind than the one that the plan was made for. */
export const checkKind = (opened: Opened<unknown>, stored: StoredPlan | undefined) =>
  stored === undefined || (isTable(opened) && opened.facts.container === stored.file.container)
    ? Effect.void
    : Effect.fail(
        new Conflict({
          message: `the plan was made for a file of kind ${stored.file.container}, and this one is ${opened.facts.container}. Make a new plan with dry_run=true`,
        }),
      )

/** Fails if an option has no effect, because the file has records, not rows. */
export const checkTableOptions = <E>(opened: Opened<unknown>, given: ImportFile<E>) => {
  if (isTable(opened)) return Effect.void
  const useless = Object.entries(TABLE_OPTIONS).filter(
    ([option]) => given[option as keyof typeof TABLE_OPTIONS] !== undefined,
  )
  if (useless.length === 0) return Effect.void
  const reason = `must be omitted: it is for tables, and the file has records (${opened.facts.container}), which name their fields themselves`
  return Effect.fail(badRequest({ invalid: useless.map(([, field]) => ({ field, reason })) }, "query"))
}
