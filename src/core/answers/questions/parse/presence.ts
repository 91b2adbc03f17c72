import type { QuestionReader } from "../../QuestionReader.ts"
import { type Dimension, findNoun, NOUNS, phrase } from "../words/lexicon.ts"

/** The modifier of the filter on each dimension: `is empty` for "deals without an owner". */
export const MODIFIERS: Partial<Readonly<Record<Dimension, string>>> = {
  competitor: "competitors_filter_type",
  primary_competitor: "primary_competitor_filter_type",
  incumbent: "incumbents_filter_type",
  collaborator: "collaborator_filter_type",
  owner: "owner_filter_type",
  client: "client_ids_filter_type",
  region: "region_filter_type",
  industry: "industry_filter_type",
  product_label: "product_filter_type",
  deal_type: "deal_type_filter_type",
  driver: "driver_ids_filter_type",
  feature: "feature_ids_filter_type",
  status: "status_filter_type",
}

const COMPETITORS = "competitors_filter_type"
/** "Deals with a competitor". Behind the noun its name may follow. */
const WITH_COMPETITOR = phrase(
  String.raw`(?:with|have|has|having|had|where there (?:is|was)) (?:an?|any|some|at least one)(?: known| named)? (?:${findNoun("competitor")?.words})(?! (?:like|named|called|such|who|that|which|of|other)(?!\p{L}))`,
)

/** Takes "without an owner" and "with a competitor": the filters on whether a deal has one at all. */
export const takePresence = (reader: QuestionReader): Readonly<Record<string, string>> => {
  const filters: Record<string, string> = {}
  for (const { dimension, words } of NOUNS) {
    const modifier = MODIFIERS[dimension]
    if (modifier === undefined) continue
    const missing = phrase(
      String.raw`(?:without|with no|have no|has no|having no|no|(?<!(?:which|what|top|the|our|most|of|by|per) )missing)(?: an?| any| the| named| known)* (?:${words})`,
    )
    if (reader.take(missing) !== undefined) filters[modifier] = "is empty"
  }
  if (filters[COMPETITORS] === undefined && reader.take(WITH_COMPETITOR) !== undefined)
    filters[COMPETITORS] = "is not empty"
  return filters
}
