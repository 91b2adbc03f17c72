import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { Field, Refusal, textsOf } from "../common/controls.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { dimensionLabel, measureLabel } from "./names.ts"
import type { ReportQuery } from "./query.ts"
import { mayChange, refresh, type SavedBoard, savedReport, useBoards } from "./saved.ts"

const NEW = ""

/** Saves the report under a name, to a board that exists or to a new one. */
export const Save = ({ query }: { readonly query: ReportQuery }) => {
  const boards = (useBoards().data?.data ?? []).filter(mayChange)
  const chosen = useSignal<string | undefined>(undefined)
  const saved = useSignal<SavedBoard | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const popover = useRef<HTMLDivElement>(null)
  const boardId = chosen.value ?? boards[0]?.id ?? NEW
  const save = async (form: HTMLFormElement) => {
    const { name = "", board: boardName = "" } = textsOf(form)
    const isShared = new FormData(form).has("shared")
    const board =
      boards.find(({ id }) => id === boardId) ?? (await client.views.createBoard({ name: boardName, shared: isShared }))
    chosen.value = board.id
    await client.views.create({ name, board_id: board.id, filters: query.filters, report: savedReport(query) })
    await refresh()
    saved.value = board
    popover.current?.hidePopover()
  }
  return (
    <>
      <button type="button" class="primary" popovertarget="save">
        {t("boards.save")}
      </button>
      <div id="save" popover="auto" class="popover form-popover" ref={popover}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void act(() => save(event.currentTarget))
          }}
        >
          <Field label={t("name")}>
            <input name="name" required maxLength={200} defaultValue={makeTitle(query)} key={makeTitle(query)} />
          </Field>
          <Field label={t("boards.board")}>
            <select value={boardId} onChange={({ currentTarget: { value } }) => (chosen.value = value)}>
              {boards.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={NEW}>{t("boards.new")}</option>
            </select>
          </Field>
          {boardId === NEW && (
            <>
              <Field label={t("boards.newName")}>
                <input name="board" required maxLength={200} />
              </Field>
              <label class="check">
                <input type="checkbox" name="shared" />
                {t("views.shared")}
              </label>
            </>
          )}
          <button type="submit" class="primary" disabled={isBusy}>
            {t("save")}
          </button>
          {refusal !== "" && <Refusal text={refusal} />}
        </form>
      </div>
      {saved.value !== undefined && (
        <span role="status">
          <a class="more" href={hrefOf(`/reports/boards/${encodeURIComponent(saved.value.id)}`)}>
            {t("boards.saved", { name: saved.value.name })}
          </a>
        </span>
      )}
    </>
  )
}

const makeTitle = ({ measures, groupBy }: ReportQuery) =>
  [measures.map(measureLabel).join(", "), ...groupBy.map(dimensionLabel)].join(" · ").slice(0, 200)
