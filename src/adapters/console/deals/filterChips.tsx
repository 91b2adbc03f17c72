import { useRef, useState } from "preact/hooks"
import type { Filters } from "../../client/client.ts"
import { Icon } from "../common/icons.tsx"
import { t } from "../common/texts.ts"
import { FilterEditor } from "./filterEditor.tsx"
import { describe, labelFilter } from "./names.ts"
import { withFilter } from "./view.ts"

interface Props {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

/** The filters that are set, each with its values, and the builder that changes them. */
export const FilterChips = ({ filters, onChange }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [field, setField] = useState("outcome")
  const edit = (name: string) => {
    setField(name)
    dialog.current?.showModal()
  }
  const set = Object.entries(filters).filter(([name]) => name !== "searchQuery")
  return (
    <div class="chips">
      {set.map(([name, value]) => (
        <span key={name} class="chip">
          <button type="button" onClick={() => edit(name)} title={t("filter.change")}>
            <span class="soft">{labelFilter(name)}</span> {describe(name, value)}
          </button>
          <button
            type="button"
            aria-label={t("filter.remove", { name: labelFilter(name) })}
            onClick={() => onChange(withFilter(filters, name, undefined))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <button type="button" class="quiet" onClick={() => edit(set[0]?.[0] ?? "outcome")}>
        <Icon name="filter" />
        {t("filter.add")}
      </button>
      {set.length > 1 && (
        <button type="button" class="quiet" onClick={() => onChange({})}>
          {t("filter.clear")}
        </button>
      )}
      <FilterEditor dialog={dialog} field={field} onField={setField} filters={filters} onChange={onChange} />
    </div>
  )
}
