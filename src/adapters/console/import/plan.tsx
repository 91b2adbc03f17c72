import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { t, textOr } from "../common/texts.ts"
import type { Report } from "./run.ts"

/** The assumptions of the plan about the file, beside its columns. */
export const Plan = ({
  report: { assumptions, created_names },
  isKeeping,
}: {
  readonly report: Report
  readonly isKeeping: boolean
}) => {
  const { container, sheet, encoding, delimiter, header_line, currency, timezone, matched_by, converted } = assumptions
  const facts = [
    container.toUpperCase(),
    ...(sheet === undefined ? [] : [t("import.sheet", { name: sheet })]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(delimiter === undefined
      ? []
      : [t("import.separated", { mark: delimiter === "\t" ? t("import.tabs") : `“${delimiter}”` })]),
    ...(header_line === undefined ? [] : [t("import.headerLine", { line: format.count(header_line) })]),
    ...(currency == null
      ? []
      : [
          t(current().workspace.settings.currency === null ? "import.takesCurrency" : "import.amountsIn", { currency }),
        ]),
    ...Object.entries(converted ?? {}).map(([code, rate]) => `1 ${code} = ${rate} ${currency ?? ""}`),
    ...(timezone === undefined ? [] : [t("import.timesOf", { zone: timezone })]),
  ]
  const { columns, properties } = assumptions
  const found = writeCounts(matched_by, "matchedBy")
  const named = writeCounts(created_names, "recordTypes")
  return (
    <ul class="plan small">
      <li>{facts.join(", ")}</li>
      {found !== "" && <li>{t("import.foundBy", { list: found })}</li>}
      {isKeeping && columns !== undefined && (properties ?? []).length === 0 && <li>{t("import.noneToKeep")}</li>}
      {properties !== undefined && <Kept properties={properties} />}
      {named !== "" && <li>{t("import.createsNames", { list: named })}</li>}
    </ul>
  )
}

/** More columns than these are folded away. */
const MAX_OPEN = 12

const Kept = ({ properties }: { readonly properties: NonNullable<Report["assumptions"]["properties"]> }) => (
  <li>
    <details open={properties.length <= MAX_OPEN}>
      <summary>{t("import.keeps", { count: format.count(properties.length) })}</summary>
      <ul class="kept">
        {properties.map(({ column, id, data_type, is_new }) => (
          <li key={id}>
            “{column}” → <code>{id}</code>{" "}
            <span class="soft">
              ({t(is_new ? "import.newProperty" : "import.knownProperty", { type: t(`import.type.${data_type}`) })})
            </span>
          </li>
        ))}
      </ul>
    </details>
  </li>
)

const writeCounts = (counts: Readonly<Record<string, number | undefined>> | undefined, texts: string) =>
  Object.entries(counts ?? {})
    .map(([name, times]) => `${textOr(`${texts}.${name}`, name)} (${format.count(times)})`)
    .join(", ")
