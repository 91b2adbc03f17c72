import type { RecordType } from "../../../core/records/record.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { listFields } from "./fields.ts"
import type { Report } from "./run.ts"
import { type Shown, unnamed } from "./sample.ts"

type Assumptions = Report["assumptions"]

/** Headers that CRMs use are as sure as field names; the others are shown with their confidence. */
const SURE = 0.9

/** The first rows, each column under the field that it fills and how its cells are read. */
export const Preview = ({
  type,
  headers,
  rows,
  fieldOf,
  assumptions,
  onMap,
}: Shown & {
  readonly type: RecordType
  readonly fieldOf: (header: string, at: number) => string
  readonly assumptions: Assumptions | undefined
  readonly onMap: (header: string, field: string) => void
}) => (
  <div class="wide" tabIndex={0} role="region" aria-label={t("import.preview")}>
    <table class="preview">
      {headers.length > 0 && (
        <thead>
          <tr>
            {headers.map((header, at) => (
              <th key={at} scope="col">
                <span>{header}</span>
                {header !== "" && header !== unnamed(at) && headers.indexOf(header) === at && (
                  <FieldSelect
                    type={type}
                    header={header}
                    value={fieldOf(header, at)}
                    property={findProperty(assumptions, header)?.column}
                    onChange={(field) => onMap(header, field)}
                  />
                )}
                {reading(assumptions, at)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {(headers.length > 0 ? headers : row).map((_, column) => (
              <td key={column} title={row[column]}>
                {row[column]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const findProperty = (assumptions: Assumptions | undefined, header: string) =>
  assumptions?.properties?.find(({ column }) => column === header)

/** How the cells of a column are read, and how sure its field is. */
const reading = (assumptions: Assumptions | undefined, at: number) => {
  const column = assumptions?.columns?.[at]
  if (column?.field == null) return null
  const { field, by, confidence } = column
  const mark = assumptions?.decimal?.[field]
  const order = assumptions?.date_order?.[field]
  const property = findProperty(assumptions, column.column)
  const parts = [
    ...(property === undefined
      ? []
      : [
          t(property.is_new ? "import.newProperty" : "import.knownProperty", {
            type: t(`import.type.${property.data_type}`),
          }),
        ]),
    ...(mark === undefined ? [] : [t(mark === "," ? "import.comma" : "import.point")]),
    ...(order === undefined ? [] : [t(order === "DMY" ? "import.dayFirst" : "import.monthFirst")]),
    ...(by === "map" || confidence >= SURE ? [] : [t("import.sure", { part: Math.round(confidence * 100) })]),
  ]
  return parts.length === 0 ? null : <span class="reading soft small">{parts.join(", ")}</span>
}

const FieldSelect = ({
  type,
  header,
  value,
  property,
  onChange,
}: {
  readonly type: RecordType
  readonly header: string
  readonly value: string
  /** The name of the property that keeps the column, if one does. */
  readonly property: string | undefined
  readonly onChange: (field: string) => void
}) => (
  <select
    aria-label={t("import.fieldOf", { header })}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  >
    <option value="">{t("import.ignore")}</option>
    {listChoices(type, value, property).map(([field, name]) => (
      <option key={field} value={field}>
        {name}
      </option>
    ))}
  </select>
)

type Choice = readonly [field: string, name: string]

/** The fields that a column can fill, with the one that the server found for it, such as a part of the scorecard. */
const listChoices = (type: RecordType, value: string, property: string | undefined): ReadonlyArray<Choice> => {
  const choices = [...listFields(type).map((field): Choice => [field, t(`field.${field}`)]), ...listOwnFields(type)]
  return value === "" || choices.some(([field]) => field === value)
    ? choices
    : [...choices, [value, property === undefined ? value : t("import.property", { name: property })]]
}

/** The workspace's CRM properties, metrics and answers, which a column can fill too. */
const listOwnFields = (type: RecordType): ReadonlyArray<Choice> => {
  if (type !== "deal" && type !== "client") return []
  const { crm_properties, metrics, answers } = current().workspace
  const object = type === "deal" ? "deal" : "account"
  return [
    ...crm_properties.data
      .filter((each) => each.object === object)
      .map(({ id, name }) => [`crm_properties.${id}`, t("import.property", { name })] as const),
    ...(type === "deal"
      ? [
          ["currency", t("import.currency")] as const,
          ...metrics.data.map(({ name }) => [`custom_metrics.${name}.score`, t("import.metric", { name })] as const),
          ...answers.data.map(({ name }) => [`custom_answers.${name}`, t("import.answer", { name })] as const),
        ]
      : []),
  ]
}
