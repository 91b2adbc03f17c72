import { useRef } from "preact/hooks"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { Field, Refusal, textsOf } from "../common/controls.tsx"
import { Icon } from "../common/icons.tsx"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { mayChange, refresh, type SavedView, useViews } from "../reports/saved.ts"
import { DEFAULT_COLUMNS, isColumn } from "./fields.ts"
import { writeQuery, SORTS, type View } from "./view.ts"

/** Saves the filters, columns and order of the table under a name, and opens those saved before. */
export const SavedViews = ({ view }: { readonly view: View }) => {
  const popover = useRef<HTMLDivElement>(null)
  const views = useViews()
  const { act, isBusy, refusal } = useAct()
  const save = async (form: HTMLFormElement) => {
    const { name = "" } = textsOf(form)
    const { filters, columns, sort, order } = view
    const shared = new FormData(form).has("shared")
    await client.views.create({ name, shared, filters, columns, sort, sort_order: order })
    await refresh()
    form.reset()
  }
  const remove = async (id: string) => {
    await client.views.delete({ id })
    await refresh()
  }
  return (
    <>
      <button type="button" popovertarget="views">
        {t("views.title")}
      </button>
      <div id="views" popover="auto" class="popover form-popover" ref={popover}>
        <Loaded query={views} lines={2}>
          {({ data }) => {
            const tables = data.filter(({ report }) => report === null)
            if (tables.length === 0) return <p class="soft">{t("views.none")}</p>
            return (
              <ul class="view-list">
                {tables.map((each) => (
                  <li key={each.id}>
                    <a
                      href={hrefOf(`/deals${writeQuery(viewOf(each))}`)}
                      onClick={() => popover.current?.hidePopover()}
                    >
                      <span class="grow">{each.name}</span>
                      {each.shared && <span class="tag">{t("views.isShared")}</span>}
                    </a>
                    {mayChange(each) && (
                      <button
                        type="button"
                        class="quiet"
                        disabled={isBusy}
                        aria-label={t("views.delete", { name: each.name })}
                        onClick={() => void act(() => remove(each.id))}
                      >
                        <Icon name="close" />
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void act(() => save(event.currentTarget))
          }}
        >
          <Field label={t("name")}>
            <input name="name" required maxLength={200} />
          </Field>
          <label class="check">
            <input type="checkbox" name="shared" />
            {t("views.shared")}
          </label>
          <button type="submit" class="primary" disabled={isBusy}>
            {t("views.save")}
          </button>
          {refusal !== "" && <Refusal text={refusal} />}
        </form>
      </div>
    </>
  )
}

/** A saved view as the table takes it. Other clients may have saved columns that the table does not have. */
const viewOf = ({ filters, columns, sort, sort_order }: SavedView): View => {
  const known = columns?.filter(isColumn) ?? []
  return {
    filters,
    columns: known.length === 0 ? DEFAULT_COLUMNS : known.includes("name") ? known : ["name", ...known],
    sort: SORTS.find((each) => each === sort) ?? "created_at",
    order: sort_order === "asc" ? "asc" : "desc",
  }
}
