import { FILTER_EXAMPLES } from "../deals/filters/examples.ts"
import { type Examples, json } from "../http/api/Example.ts"
import { intelligenceExamples } from "../intelligence/examples.ts"
import type { Measure } from "./measure.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "./measures.ts"

const meta = (measures: object, dimensions: object, overlapping: ReadonlyArray<string>) => ({
  measures,
  dimensions,
  overlapping,
  without_amount: 0,
  groups: 1,
  fiscal_start: 1,
  compared: null,
})
const definitionOf = ({ definition, unit, additive }: Measure) => ({
  definition,
  unit,
  additive,
})
const table = (lines: ReadonlyArray<string>) => ({ "text/csv": lines.map((line) => `${line}\r\n`).join("") })
const url = (query: string) => `https://sightline.example/api/v1/deals?${query}`

export const reportsExamples = {
  deals: {
    replies: "The groups, the totals and the definitions.",
    query: {
      ...FILTER_EXAMPLES,
      measures: ["win_rate", "deals"],
      group_by: ["competitor"],
      order_by: "-win_rate",
      limit: 10,
      having: { deals: { min: 5 } },
      compare: "previous_period",
      fiscal_start: 2,
    },
    reply: {
      ...table([
        "competitor_id,competitor,win_rate,deals,deals_url",
        `comp_orvanta,Orvanta,0.4,6,${url("competitors=%5B%22comp_orvanta%22%5D")}`,
      ]),
      ...json({
        data: [
          {
            group: { competitor: { id: "comp_orvanta", name: "Orvanta" } },
            values: { win_rate: 0.4, deals: 6 },
            intervals: { win_rate: { n: 5, low: 0.1176, high: 0.7693 } },
            filters: { competitors: ["comp_orvanta"] },
            deals_url: url("competitors=%5B%22comp_orvanta%22%5D"),
            drills: {
              win_rate: {
                filters: { competitors: ["comp_orvanta"], outcome: ["won", "lost"] },
                deals_url: url("competitors=%5B%22comp_orvanta%22%5D&outcome=%5B%22won%22%2C%22lost%22%5D"),
                deals: 5,
              },
            },
          },
        ],
        totals: {
          values: { win_rate: 0.5, deals: 9 },
          intervals: { win_rate: { n: 8, low: 0.2152, high: 0.7848 } },
          filters: {},
          deals_url: "https://sightline.example/api/v1/deals",
          drills: {
            win_rate: {
              filters: { outcome: ["won", "lost"] },
              deals_url: url("outcome=%5B%22won%22%2C%22lost%22%5D"),
              deals: 8,
            },
          },
        },
        other: null,
        meta: meta(
          {
            win_rate: definitionOf(DEAL_MEASURES.win_rate),
            deals: definitionOf(DEAL_MEASURES.deals),
          },
          { competitor: "the competitors in the deal" },
          ["competitor"],
        ),
      }),
    },
  },
  associations: {
    replies: "The groups, the totals and the definitions.",
    query: {
      ...FILTER_EXAMPLES,
      ...intelligenceExamples.export.query,
      measures: ["mentions"],
      group_by: ["feature"],
      order_by: "-mentions",
      limit: 10,
      having: { mentions: { min: 2 } },
      compare: "previous_year",
      fiscal_start: 2,
    },
    reply: {
      ...table([
        "feature_id,feature,mentions,deals_url",
        `feature_sso,Single sign-on,12,${url("feature_ids=%5B%22feature_sso%22%5D")}`,
      ]),
      ...json({
        data: [
          {
            group: { feature: { id: "feature_sso", name: "Single sign-on" } },
            values: { mentions: 12 },
            filters: { feature_ids: ["feature_sso"] },
            deals_url: url("feature_ids=%5B%22feature_sso%22%5D"),
          },
        ],
        totals: {
          values: { mentions: 12 },
          filters: { feature_ids_filter_type: "is not empty" },
          deals_url: url("feature_ids_filter_type=is+not+empty"),
        },
        other: null,
        meta: meta(
          { mentions: definitionOf(ASSOCIATION_MEASURES.mentions) },
          { feature: "the product features that came up" },
          ["feature"],
        ),
      }),
    },
  },
} satisfies Examples
