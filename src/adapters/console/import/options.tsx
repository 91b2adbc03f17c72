import { Field } from "../common/controls.tsx"
import { t } from "../common/texts.ts"
import { TYPES } from "./fields.ts"
import type { Report } from "./run.ts"
import type { Draft } from "./wizard.tsx"

const DATES = ["ISO", "DMY", "MDY"] as const
const MARKS = [".", ","] as const
const CATEGORIES = ["open", "won", "lost"] as const

/** Choices of a person over those of the plan. */
export const Options = ({
  draft,
  assumptions,
  onChange,
}: {
  readonly draft: Draft
  readonly assumptions: Report["assumptions"] | undefined
  readonly onChange: (draft: Draft) => void
}) => {
  const { sample, type, mapping, stages } = draft
  return (
    <div class="form">
      <Choice
        label={t("import.type")}
        value={type}
        options={TYPES.map((each) => [each, t(`recordType.${each}`)])}
        onChange={(chosen) => onChange({ sample, type: chosen ?? type, mapping: new Map(), stages: {} })}
      />
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
      {assumptions?.stages?.map(({ name, category }) => (
        <Choice
          key={name}
          label={t("import.newStage", { name })}
          value={stages[name] ?? category}
          options={CATEGORIES.map((each) => [each, t(`option.${each}`)])}
          onChange={(chosen) => onChange({ ...draft, mapping, stages: { ...stages, [name]: chosen ?? category } })}
        />
      ))}
    </div>
  )
}

const without = (draft: Draft, option: "dates" | "decimal"): Draft => {
  const { [option]: _, ...rest } = draft
  return rest
}

const Choice = <A extends string>({
  label,
  value,
  none,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: A | undefined
  /** The text of the choice of nothing, if it is one. */
  readonly none?: string
  readonly options: ReadonlyArray<readonly [value: A, text: string]>
  readonly onChange: (value: A | undefined) => void
}) => (
  <Field label={label}>
    <select
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(options.find(([each]) => each === currentTarget.value)?.[0])}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </Field>
)
