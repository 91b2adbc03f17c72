import { useSignal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { ConfirmButton, Refusal } from "../common/controls.tsx"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { type Fields, useEntries } from "./useEntries.ts"

/** The form of an entry; without `entry`, of a new one. */
export interface EntryFormProps<Kind, Entry> {
  readonly kind: Kind
  readonly entry?: Entry
  readonly isBusy: boolean
  readonly onSave: (fields: Fields) => Promise<void>
  readonly onCancel?: () => void
}

interface Props<Kind extends string, Entry> {
  readonly kind: Kind
  readonly form: ComponentType<EntryFormProps<Kind, Entry>>
  /** The heading of the form of a new entry. */
  readonly add: string
  readonly about: (entry: Entry) => ComponentChildren
  /** Buttons of an entry besides Change and Delete. */
  readonly buttons?: (entry: Entry) => ComponentChildren
  /** Shown below an entry. */
  readonly below?: (entry: Entry) => ComponentChildren
  /** Shown while there is no entry. */
  readonly empty?: ComponentChildren
  readonly rowClass?: string
  readonly onSaved?: (id: string, fields: Fields) => void
}

/** The entries of one kind of the catalogue: listed, made, changed and, once the reader confirms, deleted. */
export const EntryList = <Kind extends string, Entry extends { readonly id: string; readonly name: string }>({
  kind,
  form: Form,
  add,
  about,
  buttons,
  below,
  empty,
  rowClass = "row",
  onSaved,
}: Props<Kind, Entry>) => {
  const { query, isBusy, refusal, put, remove, more } = useEntries(kind)
  const edited = useSignal<string | undefined>(undefined)
  /** Empties the form of new entries after each; a list that loads meanwhile must not. */
  const created = useSignal(0)
  const save = (id: string, fields: Fields, onDone: () => void) =>
    put(id, fields, () => {
      onDone()
      onSaved?.(id, fields)
    })
  const endEdit = (id: string) => {
    if (edited.value === id) edited.value = undefined
  }
  return (
    <>
      <Loaded query={query} lines={5}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && empty}
            <ul class="rows">
              {(data as unknown as ReadonlyArray<Entry>).map((entry) => (
                <li key={entry.id} class={rowClass}>
                  {edited.value === entry.id ? (
                    <Form
                      kind={kind}
                      entry={entry}
                      isBusy={isBusy}
                      onSave={(fields) => save(entry.id, fields, () => endEdit(entry.id))}
                      onCancel={() => (edited.value = undefined)}
                    />
                  ) : (
                    <>
                      {about(entry)}
                      {buttons?.(entry)}
                      <button type="button" onClick={() => (edited.value = entry.id)}>
                        {t("change")}
                      </button>
                      <ConfirmButton
                        disabled={isBusy}
                        question={t("names.deleteAsk", { name: entry.name })}
                        onConfirm={() => void remove(entry.id)}
                      >
                        {t("delete")}
                      </ConfirmButton>
                      {below?.(entry)}
                    </>
                  )}
                </li>
              ))}
            </ul>
            {next_cursor !== null && (
              <button type="button" disabled={isBusy} onClick={() => void more(next_cursor)}>
                {t("more")}
              </button>
            )}
          </>
        )}
      </Loaded>
      <h3>{add}</h3>
      <Form
        key={`new ${created.value}`}
        kind={kind}
        isBusy={isBusy}
        onSave={(fields) => save(crypto.randomUUID(), fields, () => created.value++)}
      />
      <Refusal text={refusal} />
    </>
  )
}
