import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import type { WorkspaceNames } from "../words/names.ts"

const REASONS = String.raw`(?:reasons?|grounds|factors?|drivers?|causes?|issues?|concerns?|arguments?|problems?)`
/** Words that make the reasons a condition of deals: "lost for commercial reasons". Without them they are what is asked for: "top commercial reasons". */
const CONDITION = String.raw`(?:for|because of|due to|on account of|on|over|had|have|has|having|with|by)(?: the| our| any)* `
/** "Other than commercial reasons" and "no commercial reason": no filter has the deals in which no reason against us is of a category. */
const DENIED =
  /(?<!\p{L})(?:no|not|never|without|except(?: for)?|excluding|other than|besides|apart from|n't)(?: \p{L}+)? $/u

const escape = (text: string) => text.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Takes the categories of reasons that a question names: "commercial reasons", "trust issues", "reasons of the category Product". */
export const takeCategories = (
  reader: QuestionReader,
  { categories = [], names }: WorkspaceNames,
): Pick<CanonicalFilters, "driver_categories"> => {
  // A reason of the same name is the more exact.
  const reasons = new Set(names.flatMap(({ kind, name }) => (kind === "reason" ? [name.toLowerCase()] : [])))
  const known = categories.filter((each) => !reasons.has(each.toLowerCase()))
  if (known.length === 0) return {}
  const one = `(?:${known.map(escape).join("|")})`
  const listed = `(?<listed>${one}(?:(?:,| and| or|, and|, or) ${one})*)`
  const found = [
    String.raw`(?<lead>${CONDITION})?${listed}(?:[- ]related)?(?<noun> ${REASONS})`,
    String.raw`${listed}(?= (?:win|loss|lost) ${REASONS})`,
    String.raw`(?:(?:in|of|from|with|by) )?(?:the )?(?:reason )?(?:categor(?:y|ies) ${listed}|${listed.replace("listed", "before")} categor(?:y|ies))`,
  ]
    .map((pattern) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, "u").exec(reader.text))
    .find((match) => match !== null)
  if (found === undefined || DENIED.test(reader.text.slice(0, found.index))) return {}
  const { listed: said, before = "", lead, noun = "" } = found.groups ?? {}
  const end = found.index + found[0].length
  // "What share of losses had product reasons" has its whole before the verb.
  const start = /^(?:ha|with)/.test(lead ?? "") ? found.index + lead!.length : found.index
  reader.takeRange(start, lead === undefined ? end - noun.length : end)
  const parts = (said ?? before).split(/,? (?:and|or) |, ?/)
  return { driver_categories: known.filter((each) => parts.includes(each.toLowerCase())) }
}
