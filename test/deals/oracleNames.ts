import type { OLDER_NAMES } from "../../src/core/deals/filters/filters.ts"

type Filters = Readonly<Record<string, any>>

const OLDER: Record<keyof typeof OLDER_NAMES, string> = {
  deal_analyzed: "analyzed",
  analysis_verified: "verified",
  competitor_ids: "competitors",
  product_ids: "product_labels",
  proposal_due: "close_date",
  type: "deal_type",
}

/** The filters by their newest names. */
export const newNames = (given: Filters): Filters =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const newer = new Map(Object.entries(OLDER)).get(name)
      if (newer === undefined) return [[name, value]]
      if (!Array.isArray(value) || !/^(deal_analyzed|analysis_verified)$/.test(name)) return [[newer, value]]
      const wanted = [...new Set(value.map(String))]
      return wanted.length === 2 ? [] : [[newer, wanted[0] === "true"]]
    }),
  )
