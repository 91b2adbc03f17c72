import type { RecordType } from "../../../core/import/records.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { fieldsOf } from "./fields.ts"
import type { Sample } from "./sample.ts"

const MAX_ROWS = 5

/** The first rows, each column under the field that it fills. */
export const Preview = ({
  sample,
  type,
  mapping,
  onMap,
}: {
  readonly sample: Sample
  readonly type: RecordType
  readonly mapping: ReadonlyMap<string, string>
  readonly onMap: (header: string, field: string) => void
}) => {
  const rows = sample.rows.slice(0, MAX_ROWS)
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={t("import.preview")}>
      <table class="preview">
        {sample.isCsv && (
          <thead>
            <tr>
              {sample.headers.map((header, index) => (
                <th key={index} scope="col">
                  <span>{header}</span>
                  {header !== "" && sample.headers.indexOf(header) === index && (
                    <FieldSelect
                      type={type}
                      header={header}
                      value={mapping.get(header) ?? ""}
                      onChange={(field) => onMap(header, field)}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {(sample.isCsv ? sample.headers : row).map((_, column) => (
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
}

const FieldSelect = ({
  type,
  header,
  value,
  onChange,
}: {
  readonly type: RecordType
  readonly header: string
  readonly value: string
  readonly onChange: (field: string) => void
}) => (
  <select
    aria-label={t("import.fieldOf", { header })}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  >
    <option value="">{t("import.ignore")}</option>
    {fieldsOf(type).map((field) => (
      <option key={field} value={field}>
        {t(`field.${field}`)}
      </option>
    ))}
    {ownFieldsOf(type).map(([field, name]) => (
      <option key={field} value={field}>
        {name}
      </option>
    ))}
  </select>
)

/** The workspace's CRM properties, metrics and answers, which a column can fill too. */
const ownFieldsOf = (type: RecordType): ReadonlyArray<readonly [string, string]> => {
  if (type !== "deal" && type !== "client") return []
  const { crm_properties, metrics, answers } = current().workspace
  const object = type === "deal" ? "deal" : "account"
  return [
    ...crm_properties.data
      .filter((each) => each.object === object)
      .map(({ id, name }) => [`crm_properties.${id}`, t("import.property", { name })] as const),
    ...(type === "deal"
      ? [
          ...metrics.data.map(({ name }) => [`custom_metrics.${name}.score`, t("import.metric", { name })] as const),
          ...answers.data.map(({ name }) => [`custom_answers.${name}`, t("import.answer", { name })] as const),
        ]
      : []),
  ]
}
