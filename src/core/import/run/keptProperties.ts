import * as Effect from "effect/Effect"
import type { CrmProperty } from "../../deals/names/properties.ts"
import type { ImportPlan } from "../plan/fields/ImportPlan.ts"
import { writeCrmProperties } from "../../records/crmProperties.ts"
import { prepareIn, type Preparing } from "./prepareIn.ts"

/** The properties that an import registers to keep columns without a field. */
export const keptPropertiesOf = (
  { kept }: ImportPlan,
  crm: CrmProperty["crm"] = "crm_one",
): ReadonlyArray<CrmProperty> =>
  kept.flatMap(({ id, label, data_type, is_new }) => (is_new ? [{ crm, object: "deal", id, label, data_type }] : []))

/** Before the first deal: registers properties, in a dry run in its overlay. */
export const registerProperties = (org: string, properties: ReadonlyArray<CrmProperty>, to: Preparing) => {
  const entries = properties.map((each) => ({
    line: 1,
    weight: 0,
    record: { ...each, label: each.label ?? undefined, type: "crm_property" as const },
  }))
  return entries.length === 0 ? Effect.void : prepareIn(org, to, ({ store }) => writeCrmProperties(store, entries))
}
