import { Icon } from "../common/icons.tsx"
import { t } from "../common/texts.ts"
import { COLUMN_NAMES, type ColumnName } from "./fields.ts"

/** Chooses the table's columns. The name always stays, because it leads to the deal. */
export const ColumnPicker = ({
  columns,
  onChange,
}: {
  readonly columns: ReadonlyArray<ColumnName>
  readonly onChange: (columns: ReadonlyArray<ColumnName>) => void
}) => (
  <>
    <button type="button" popovertarget="columns" title={t("deals.columns")} aria-label={t("deals.columns")}>
      <Icon name="columns" />
    </button>
    <div id="columns" popover="auto" class="popover">
      <ul class="choices">
        {COLUMN_NAMES.map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                disabled={name === "name"}
                checked={columns.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(COLUMN_NAMES.filter((each) => (each === name ? checked : columns.includes(each))))
                }
              />
              <span class="grow">{t(`column.${name}`)}</span>
            </label>
          </li>
        ))}
      </ul>
    </div>
  </>
)
