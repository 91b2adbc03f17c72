import { Field } from "../common/controls.tsx"

export const Choice = <A extends string>({
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
