import * as Schema from "effect/Schema"
import { Text } from "../http/values/parameters.ts"
import { type Metric, METRICS } from "../deals/columns/metrics.ts"
import { isCurrencyCode } from "../records/values/currency.ts"
import { described } from "../http/values/described.ts"

const text = (maximum: number) =>
  Text.check(
    Schema.makeFilter(
      (value: string) =>
        (value.length <= maximum && value.trim() !== "") || `must be text of 1 to ${maximum} characters, not blank`,
    ),
  )

const Currency = Schema.String.check(
  Schema.makeFilter(
    (code: string) => isCurrencyCode(code) || "must be a currency code of ISO 4217, three letters such as EUR",
  ),
)

const Month = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))

const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

const isDomain = (domain: string) => {
  const labels = domain.trim().split(".")
  return (
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  )
}

const Domain = Text.check(
  Schema.makeFilter(
    (domain: string) => isDomain(domain) || "must be a domain such as acme.com, without a scheme, a path or an @",
  ),
)

const list = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMaxLength(100))

const currency = "The currency of amounts, as an ISO 4217 code. Null: unknown."
const fiscalStart = "The first month of the fiscal year, 1 to 12."
const timezone =
  "The IANA name of the time zone in which a day begins and ends: in filters, periods, reports and questions."
const ourNames = "Your company's names. Speakers and senders with one of them are the seller."
const ourDomains = "The domains of your own e-mail and websites."

const analysisBudget =
  "Tokens that analyses by a language model may use in a calendar month (UTC), input and output together. Null: no limit."
const analysis =
  "When deals are analyzed: `manual`, on request alone; or `automatic`, also when a document of the deal was read. A language model then costs tokens."
const AnalysisMode = Schema.Literals(["manual", "automatic"])
const links =
  "Links to figures of answers (`/r/`) show without a key: `figures`, the numbers and the filter in words; or `deals`, also the deals behind them."
const renewalTypes = "The deal types that are renewals, ignoring case: the measure `renewal_rate` reads their deals."
const noDecision =
  "The category of reasons, ignoring case, with which a lost deal had no decision: the measure `lost_no_decision` reads it. Null: none."
const rubrics =
  "The meanings of the scores 1, 3 and 5 of win-loss metrics in the workspace's words, which the language model sees. A metric without a rubric has a general one."
const Links = Schema.Literals(["deals", "figures"])
const Tokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000_000_000 }))

const rubricsOf = <S extends Schema.Top>(meaning: S, identifier: string) => {
  const Rubric = Schema.optionalKey(Schema.Struct({ 1: meaning, 3: meaning, 5: meaning }).annotate({ identifier }))
  return Schema.Struct(Object.fromEntries(METRICS.map((metric) => [metric, Rubric])) as Record<Metric, typeof Rubric>)
}

/** The settings of a workspace. */
export const WorkspaceSettings = Schema.Struct({
  name: described(Schema.String, "The organization's name."),
  currency: described(Schema.NullOr(Schema.String), currency),
  fiscal_start: described(Schema.Int, fiscalStart),
  timezone: described(Schema.String, timezone),
  our_names: described(Schema.Array(Schema.String), ourNames),
  our_domains: described(Schema.Array(Schema.String), ourDomains),
  analysis: described(AnalysisMode, analysis),
  analysis_budget: described(Schema.NullOr(Schema.Int), analysisBudget),
  links: described(Links, links),
  renewal_types: described(Schema.Array(Schema.String), renewalTypes),
  no_decision: described(Schema.NullOr(Schema.String), noDecision),
  rubrics: described(rubricsOf(Schema.String, "Rubric"), rubrics),
}).annotate({ identifier: "WorkspaceSettings" })
export type WorkspaceSettings = typeof WorkspaceSettings.Type

/** Omitted settings stay unchanged. */
export const WorkspaceSettingsPatch = Schema.Struct({
  name: Schema.optionalKey(described(text(400), "The organization's name.")),
  currency: Schema.optionalKey(described(Schema.NullOr(Currency), `${currency} Upper and lower case are alike.`)),
  fiscal_start: Schema.optionalKey(described(Month, fiscalStart)),
  timezone: Schema.optionalKey(
    described(Schema.NullOr(text(100)), `${timezone} Upper and lower case are alike. Null: UTC.`),
  ),
  our_names: Schema.optionalKey(described(list(text(200)), ourNames)),
  our_domains: Schema.optionalKey(described(list(Domain), ourDomains)),
  analysis: Schema.optionalKey(described(AnalysisMode, analysis)),
  analysis_budget: Schema.optionalKey(described(Schema.NullOr(Tokens), analysisBudget)),
  links: Schema.optionalKey(described(Links, links)),
  renewal_types: Schema.optionalKey(described(list(text(400)), renewalTypes)),
  no_decision: Schema.optionalKey(described(Schema.NullOr(text(400)), noDecision)),
  rubrics: Schema.optionalKey(described(rubricsOf(text(400), "RubricPatch"), `${rubrics} Replaces all of them.`)),
}).annotate({
  identifier: "WorkspaceSettingsPatch",
  examples: [
    {
      currency: "EUR",
      fiscal_start: 4,
      timezone: "Europe/Berlin",
      our_names: ["Acme", "Acme GmbH"],
      our_domains: ["acme.example"],
    },
  ],
})
export type WorkspaceSettingsPatch = typeof WorkspaceSettingsPatch.Type

/** The settings, as columns of `organizations`. */
export const SETTINGS = Object.keys(WorkspaceSettings.fields).join(", ")

/** Trims texts, writes codes in upper and domains in lower case, and removes duplicates. */
export const normalize = (patch: WorkspaceSettingsPatch): WorkspaceSettingsPatch => ({
  ...patch,
  ...(patch.name !== undefined && { name: patch.name.trim() }),
  ...(patch.currency !== undefined && { currency: patch.currency?.toUpperCase() ?? null }),
  ...(patch.our_names !== undefined && { our_names: deduplicate(patch.our_names) }),
  ...(patch.our_domains !== undefined && {
    our_domains: deduplicate(patch.our_domains.map((domain) => domain.toLowerCase())),
  }),
  ...(patch.renewal_types !== undefined && { renewal_types: deduplicate(patch.renewal_types) }),
  ...(patch.no_decision !== undefined && { no_decision: patch.no_decision?.trim() ?? null }),
})

const deduplicate = (texts: ReadonlyArray<string>) => [
  ...new Map(texts.map((each) => [each.trim().toLowerCase(), each.trim()])).values(),
]
