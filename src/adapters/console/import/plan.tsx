import * as format from "../common/format.ts"
import { t, textOr } from "../common/texts.ts"
import type { Report } from "./run.ts"

/** The assumptions of the plan about the file, beside its columns. */
export const Plan = ({ report: { assumptions, created_names } }: { readonly report: Report }) => {
  const { container, sheet, encoding, delimiter, header_line, currency, timezone, matched_by, converted } = assumptions
  const facts = [
    container.toUpperCase(),
    ...(sheet === undefined ? [] : [t("import.sheet", { name: sheet })]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(delimiter === undefined
      ? []
      : [t("import.separated", { mark: delimiter === "\t" ? t("import.tabs") : `“${delimiter}”` })]),
    ...(header_line === undefined ? [] : [t("import.headerLine", { line: format.count(header_line) })]),
    ...(currency == null ? [] : [t("import.amountsIn", { currency })]),
    ...Object.entries(converted ?? {}).map(([code, rate]) => `1 ${code} = ${rate} ${currency ?? ""}`),
    ...(timezone === undefined ? [] : [t("import.timesOf", { zone: timezone })]),
  ]
  const found = listOf(matched_by, "matchedBy")
  const named = listOf(created_names, "recordTypes")
  return (
    <ul class="plan small">
      <li>{facts.join(", ")}</li>
      {found !== "" && <li>{t("import.foundBy", { list: found })}</li>}
      {named !== "" && <li>{t("import.createsNames", { list: named })}</li>}
    </ul>
  )
}

const listOf = (counts: Readonly<Record<string, number | undefined>> | undefined, texts: string) =>
  Object.entries(counts ?? {})
    .map(([name, times]) => `${textOr(`${texts}.${name}`, name)} (${format.count(times)})`)
    .join(", ")
