import { suggestion } from "../common/nearest.ts"
import type { Invalid } from "../http/validation/validation.ts"
import { DIMENSIONS, GRAINS } from "../reports/dimensions.ts"
import { CUSTOM_METRIC, MEASURES, type Subject } from "../reports/measures.ts"
import type { SavedReport } from "./contract.ts"

const SUBJECTS = ["deals", "associations"] as const

const namesOf = (subject: Subject) => ({
  measures: Object.keys(MEASURES[subject]),
  dimensions: Object.entries(DIMENSIONS[subject]).flatMap(([name, { dated }]) =>
    dated === true ? GRAINS.map((grain) => `${name}.${grain}`) : [name],
  ),
})
const NAMES = { deals: namesOf("deals"), associations: namesOf("associations") } satisfies Record<Subject, object>

const WORKSPACE_DIMENSION = /^(crm_|custom_answer_)./s

/** Refuses names that the report of this subject has in no workspace. Needs no database. */
export const problemsOfReport = ({ subject, measures, group_by = [] }: SavedReport): ReadonlyArray<Invalid> => [
  ...measures.flatMap((name, n) =>
    NAMES[subject].measures.includes(name) || (subject === "deals" && CUSTOM_METRIC.test(name))
      ? []
      : [refuse(`report.measures[${n}]`, "measures", name, subject)],
  ),
  ...group_by.flatMap((name, n) =>
    NAMES[subject].dimensions.includes(name) || WORKSPACE_DIMENSION.test(name)
      ? []
      : [refuse(`report.group_by[${n}]`, "dimensions", name, subject)],
  ),
]

const refuse = (field: string, what: "measures" | "dimensions", name: string, subject: Subject): Invalid => {
  const hint = what === "measures" ? "" : ", dates with their grain"
  const owner = SUBJECTS.find((each) => NAMES[each][what].includes(name))
  const why = owner === undefined ? "is not one" : `belongs to the report of ${owner}`
  return {
    field,
    reason: `must name ${what} of the report of ${subject}${hint}; '${name.slice(0, 100)}' ${why}`,
    ...suggestion(name, NAMES[subject][what]),
  }
}
