import { Field } from "../common/controls.tsx"
import { t } from "../common/texts.ts"
import { Choice } from "./choice.tsx"
import { type Draft, type NamePart, newDraft } from "./draft.ts"
import { TYPES } from "./fields.ts"
import { Rates } from "./rates.tsx"
import type { Report } from "./run.ts"

/** Choices of a person over those of the plan. */
const DATES = ["ISO", "DMY", "MDY"] as const
const MARKS = [".", ","] as const
const CATEGORIES = ["open", "won", "lost"] as const
/** The encodings of computers that people export from; the server knows more. */
const ENCODINGS =
  "utf-8 utf-16le windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 iso-8859-15 macintosh ibm850 shift_jis euc-jp gb18030 big5 euc-kr".split(
    " ",
  )
const CRMS = ["crm_one", "crm_two"] as const

interface Props {
  readonly draft: Draft
  readonly report: Report | undefined
  readonly onChange: (draft: Draft) => void
}

export const Options = ({ draft, report, onChange }: Props) => {
  const { sample, type, stages } = draft
  return (
    <>
      <div class="form">
        <Choice
          label={t("import.type")}
          value={type}
          options={TYPES.map((each) => [each, t(`recordType.${each}`)])}
          onChange={(chosen) => onChange(newDraft(sample, chosen ?? type))}
        />
        <NameOfDeals draft={draft} report={report} onChange={onChange} />
        <Choice
          label={t("import.dates")}
          value={draft.dates}
          none={t("import.byColumn")}
          options={DATES.map((each) => [each, t(`dates.${each}`)])}
          onChange={(dates) => onChange({ ...without(draft, "dates"), ...(dates !== undefined && { dates }) })}
        />
        <Choice
          label={t("import.decimal")}
          value={draft.decimal}
          none={t("import.byColumn")}
          options={MARKS.map((each) => [each, t(each === "." ? "import.point" : "import.comma")])}
          onChange={(decimal) => onChange({ ...without(draft, "decimal"), ...(decimal !== undefined && { decimal }) })}
        />
        <Choice
          label={t("import.emptyCell")}
          value={draft.empty}
          none={t("import.emptyCell.keep")}
          options={[["clear", t("import.emptyCell.clear")]]}
          onChange={(empty) => onChange({ ...without(draft, "empty"), ...(empty !== undefined && { empty }) })}
        />
        {type === "deal" && (
          <Choice
            label={t("import.unmapped")}
            value={draft.keep}
            none={t("import.unmapped.ignore")}
            options={CRMS.map((each) => [each, t(`import.unmapped.${each}`)])}
            onChange={(keep) => onChange({ ...without(draft, "keep"), ...(keep !== undefined && { keep }) })}
          />
        )}
        {report?.assumptions.stages?.map(({ name, category }) => (
          <Choice
            key={name}
            label={t("import.newStage", { name })}
            value={stages[name] ?? category}
            options={CATEGORIES.map((each) => [each, t(`option.${each}`)])}
            onChange={(chosen) => onChange({ ...draft, stages: { ...stages, [name]: chosen ?? category } })}
          />
        ))}
      </div>
      <details class="more">
        <summary>{t("import.more")}</summary>
        <div class="form">
          <Choice
            label={t("import.unknownNames")}
            value={draft.create}
            none={t("import.unknownNames.all")}
            options={[["none", t("import.unknownNames.none")]]}
            onChange={(create) => onChange({ ...without(draft, "create"), ...(create !== undefined && { create }) })}
          />
          {sample.bytes !== undefined && (
            <Choice
              label={t("import.encoding")}
              value={draft.encoding}
              none={t("import.encoding.none")}
              options={ENCODINGS.map((each) => [each, each])}
              onChange={(encoding) =>
                onChange({ ...without(draft, "encoding"), ...(encoding !== undefined && { encoding }) })
              }
            />
          )}
          {report?.assumptions.container === "xlsx" && (
            <Field label={t("import.sheetField")}>
              <input
                maxLength={200}
                placeholder={report.assumptions.sheet}
                defaultValue={draft.sheet}
                onChange={({ currentTarget: { value } }) =>
                  onChange({ ...without(draft, "sheet"), ...(value.trim() !== "" && { sheet: value.trim() }) })
                }
              />
            </Field>
          )}
        </div>
      </details>
      <Rates draft={draft} report={report} onChange={onChange} />
    </>
  )
}

/** Fields that tell the deals of one account apart. */
const DISTINGUISHING = ["product_labels", "deal_type", "region", "close_date", "crm_one_id", "crm_two_id"]

const joinColumns = (parts: ReadonlyArray<NamePart>) => parts.map(({ column }) => column).join(" + ")

/** The account, alone or with a field that tells its deals apart. */
const namesFrom = (columns: ReadonlyArray<NamePart>): ReadonlyArray<ReadonlyArray<NamePart>> => {
  const account = columns.find(({ field }) => field === "client")
  if (account === undefined) return []
  const others = DISTINGUISHING.flatMap((name) => columns.filter(({ field }) => field === name))
  return [...others.map((other) => [account, other]), [account]]
}

/** The columns that name the deals of a file without names. */
const NameOfDeals = ({ draft, report, onChange }: Props) => {
  const columns = (report?.assumptions.columns ?? []).flatMap(({ column, field }) =>
    field == null || column.includes("+") ? [] : [{ column, field }],
  )
  if (draft.type !== "deal") return null
  const proposed = columns.some(({ field }) => field === "name") ? [] : namesFrom(columns)
  // A name that was chosen holds, also when one of its columns gets another field.
  const isProposed =
    draft.name === undefined || proposed.some((parts) => joinColumns(parts) === joinColumns(draft.name ?? []))
  const choices = isProposed ? proposed : [draft.name ?? [], ...proposed]
  if (choices.length === 0) return null
  return (
    <Choice
      label={t("import.nameOfDeals")}
      value={draft.name && joinColumns(draft.name)}
      none={t("import.noName")}
      options={choices.map((parts) => [joinColumns(parts), joinColumns(parts)])}
      onChange={(chosen) => {
        const name = choices.find((parts) => joinColumns(parts) === chosen)
        onChange({ ...without(draft, "name"), ...(name !== undefined && { name }) })
      }}
    />
  )
}

const without = (
  draft: Draft,
  option: "dates" | "decimal" | "empty" | "keep" | "encoding" | "sheet" | "create" | "name",
): Draft => {
  const { [option]: _, ...rest } = draft
  return rest
}
