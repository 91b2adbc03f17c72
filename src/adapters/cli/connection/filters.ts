import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DealFilters } from "../../../core/deals/filters/filters.ts"
import { listProblems, reasonWithSuggestion } from "../../../core/http/validation/validation.ts"
import { Usage } from "./workspace.ts"

const decode = Schema.decodeUnknownEffect(DealFilters)

/** Parses filters as in the query string of GET /deals: arrays and objects are JSON, anything else is text. */
export const parseFilters = (given: Readonly<Record<string, string>>) => {
  const values = Object.entries(given).map(([name, text]) => {
    const value = Option.getOrElse(parse(text), () => text)
    return [name, typeof value === "number" || value === null ? text : value] as const
  })
  return Effect.mapError(
    decode(Object.fromEntries(values), { errors: "all", onExcessProperty: "error", reportInput: true }),
    ({ issue }) => {
      const { unknown, invalid } = listProblems(issue, "--filter")
      const problems = [...unknown.map((problem) => ({ ...problem, reason: "is no filter" })), ...invalid]
      return new Usage({
        message: problems.map((problem) => `${problem.field} ${reasonWithSuggestion(problem)}`).join("\n"),
      })
    },
  )
}

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
