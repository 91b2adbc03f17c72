import type { RefObject } from "preact"
import { useState } from "preact/hooks"
import type { Filters } from "../../client/client.ts"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { current, type Workspace } from "../common/session.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { type Field, FIELDS, PERIODS } from "./fields.ts"
import { labelFilter, nameValue } from "./names.ts"
import { withFilter } from "./view.ts"

interface Props {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly field: string
  readonly onField: (field: string) => void
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

const OTHERS = ["close_date", "amount"] as const

/** The builder: fields on one side, the values of the chosen one on the other. Each choice applies at once. */
export const FilterEditor = ({ dialog, field, onField, filters, onChange }: Props) => {
  const chosen = FIELDS.find(({ filter }) => filter === field)
  const valueOf = (name: string) => (filters as Readonly<Record<string, unknown>>)[name]
  const set = (value: unknown) => onChange(withFilter(filters, field, value))
  return (
    <dialog
      ref={dialog}
      class="editor"
      aria-label={t("filter.add")}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="editor-body">
        <ul class="editor-fields">
          {[...FIELDS.map(({ filter }) => filter), ...OTHERS].map((name) => (
            <li key={name}>
              <button type="button" aria-pressed={name === field} onClick={() => onField(name)}>
                {labelFilter(name)}
                {valueOf(name) !== undefined && <i class="dot" />}
              </button>
            </li>
          ))}
        </ul>
        <div class="editor-values">
          {chosen !== undefined ? (
            <Choices
              key={field}
              field={chosen}
              chosen={(valueOf(field) as ReadonlyArray<string>) ?? []}
              onChange={set}
            />
          ) : field === "close_date" ? (
            <Dates value={valueOf(field)} onChange={set} />
          ) : field === "amount" ? (
            <Amounts value={valueOf(field)} onChange={set} />
          ) : (
            <p class="soft">{t("filter.fixed")}</p>
          )}
        </div>
      </div>
      <footer>
        <button type="button" class="primary" onClick={() => dialog.current?.close()}>
          {t("done")}
        </button>
      </footer>
    </dialog>
  )
}

interface Choice {
  readonly value: string
  readonly name: string
  readonly deals?: number
}

const Choices = ({
  field,
  chosen,
  onChange,
}: {
  readonly field: Field
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (values: ReadonlyArray<string> | undefined) => void
}) => {
  const [text, setText] = useState("")
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    onChange(next.length === 0 ? undefined : next)
  }
  const drawList = (choices: ReadonlyArray<Choice>) => (
    <ul class="choices">
      {choices.map(({ value, name, deals }) => (
        <li key={value}>
          <label>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span class="grow">{name}</span>
            {deals !== undefined && <span class="soft">{format.count(deals)}</span>}
          </label>
        </li>
      ))}
      {choices.length === 0 && <li class="soft">{t("filter.nothing")}</li>}
    </ul>
  )
  if ("options" in field)
    return drawList(field.options.map((value) => ({ value, name: nameValue(field.filter, value) })))
  return (
    <>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t("filter.search")}
          placeholder={t("filter.search")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Names field={field} text={text.trim()}>
        {drawList}
      </Names>
    </>
  )
}

/** The names of a kind: those that the workspace's summary has, or the server's matches if it has more. */
const Names = ({
  field,
  text,
  children,
}: {
  readonly field: Extract<Field, { readonly names: unknown }>
  readonly text: string
  readonly children: (choices: ReadonlyArray<Choice>) => preact.ComponentChildren
}) => {
  const known = current().workspace[field.names] as { readonly data: ReadonlyArray<Named>; readonly has_more: boolean }
  const query = useQuery(
    ["names", field.names, text],
    (signal) =>
      client.workspace.list(
        {
          kind: field.names as Exclude<keyof Workspace, "settings" | "duplicates">,
          ...(text !== "" && { searchQuery: text }),
        },
        { signal },
      ),
    { keepPrevious: true, enabled: known.has_more },
  )
  const makeChoices = (names: ReadonlyArray<Named>) =>
    children(names.map(({ id, name, deals }) => ({ value: field.byId && id !== null ? id : name, name, deals })))
  if (known.has_more) return <Loaded query={query}>{({ data }) => makeChoices(data as ReadonlyArray<Named>)}</Loaded>
  const wanted = text.toLocaleLowerCase()
  return <>{makeChoices(known.data.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)))}</>
}

interface Named {
  readonly id: string | null
  readonly name: string
  readonly deals: number
}

interface EditorProps {
  readonly value: unknown
  readonly onChange: (value: object | undefined) => void
}

const Dates = ({ value, onChange }: EditorProps) => {
  const { period, from, to } = (value ?? {}) as Record<string, string | undefined>
  const span = (next: { readonly from?: string | undefined; readonly to?: string | undefined }) => {
    const given = Object.fromEntries(Object.entries({ from, to, ...next }).filter(([, day]) => day))
    onChange(Object.keys(given).length === 0 ? undefined : given)
  }
  return (
    <>
      <div class="options">
        {PERIODS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={period === name}
            onClick={() => onChange(period === name ? undefined : { period: name })}
          >
            {t(`period.${name}`)}
          </button>
        ))}
      </div>
      <div class="pair">
        <label>
          {t("from")}
          <input type="date" value={from ?? ""} onChange={(event) => span({ from: event.currentTarget.value })} />
        </label>
        <label>
          {t("to")}
          <input type="date" value={to ?? ""} onChange={(event) => span({ to: event.currentTarget.value })} />
        </label>
      </div>
    </>
  )
}

const Amounts = ({ value, onChange }: EditorProps) => {
  const bounds = (value ?? {}) as { readonly min?: number; readonly max?: number }
  const change = (name: "min" | "max", text: string) => {
    const { [name]: _, ...rest } = bounds
    const next = text === "" || Number.isNaN(Number(text)) ? rest : { ...rest, [name]: Number(text) }
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <div class="pair">
      {(["min", "max"] as const).map((name) => (
        <label key={name}>
          {t(name === "min" ? "from" : "to")}
          <input
            type="number"
            min={0}
            step={1000}
            value={bounds[name] ?? ""}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        </label>
      ))}
    </div>
  )
}
