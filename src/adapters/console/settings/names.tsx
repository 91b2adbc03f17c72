import { useSignal } from "@preact/signals"
import { Field, textsOf } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { t } from "../common/texts.ts"
import { type EntryFormProps, EntryList } from "./entryList.tsx"

const KINDS = ["stages", "competitors", "reasons", "features"] as const
type Kind = (typeof KINDS)[number]
const CATEGORIES = ["open", "won", "lost"] as const

/** An entry of any kind; the fields that a kind lacks are undefined. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly deals: number
  readonly category?: string | null
  readonly position?: number
  readonly probability?: number | null
  readonly aliases?: ReadonlyArray<string>
}

const hasAliases = (kind: Kind) => kind === "competitors" || kind === "reasons" || kind === "features"

/** The names of the catalogue, one kind at a time: made, changed and deleted. */
export const Names = () => {
  const kind = useSignal<Kind>("stages")
  return (
    <section class="card">
      <h2>{t("names.title")}</h2>
      <div class="segments" role="group" aria-label={t("names.title")}>
        {KINDS.map((each) => (
          <button key={each} type="button" aria-pressed={kind.value === each} onClick={() => (kind.value = each)}>
            {t(`names.${each}`)}
          </button>
        ))}
      </div>
      <EntryList<Kind, Entry>
        key={kind.value}
        kind={kind.value}
        form={EntryForm}
        add={t("names.add")}
        about={(entry) => <About kind={kind.value} entry={entry} />}
      />
    </section>
  )
}

const About = ({ kind, entry }: { readonly kind: Kind; readonly entry: Entry }) => (
  <span class="grow">
    <strong>
      {entry.name}
      {entry.category != null && <span class="tag">{nameCategory(kind, entry.category)}</span>}
    </strong>
    <span class="soft">
      {[t("names.deals", { count: format.count(entry.deals) }), ...(entry.aliases ?? [])].join(" · ")}
    </span>
  </span>
)

const nameCategory = (kind: Kind, category: string) =>
  kind === "stages" && (category === "open" || category === "won" || category === "lost")
    ? t(`option.${category}`)
    : category

const EntryForm = ({ kind, entry, isBusy, onSave, onCancel }: EntryFormProps<Kind, Entry>) => (
  <form
    class="form grow"
    onSubmit={(event) => {
      event.preventDefault()
      const { name = "", category, position, probability, aliases } = textsOf(event.currentTarget)
      void onSave({
        name,
        ...(category !== undefined && { category }),
        ...(kind === "reasons" && { category: category ?? null }),
        ...(position !== undefined && { position: Number(position) }),
        ...(kind === "stages" && { probability: probability === undefined ? null : Number(probability) }),
        ...(hasAliases(kind) && {
          aliases: (aliases ?? "")
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean),
        }),
      })
    }}
  >
    <Field label={t("name")}>
      <input name="name" required maxLength={400} defaultValue={entry?.name ?? ""} />
    </Field>
    {kind === "stages" && (
      <>
        <Field label={t("filter.outcome")}>
          <select name="category">
            {CATEGORIES.map((category) => (
              <option key={category} value={category} selected={category === entry?.category}>
                {t(`option.${category}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("names.position")}>
          <input type="number" name="position" step={1} defaultValue={String(entry?.position ?? "")} />
        </Field>
        <Field label={t("names.probability")}>
          <input
            type="number"
            name="probability"
            min={0}
            max={1}
            step="any"
            defaultValue={String(entry?.probability ?? "")}
          />
        </Field>
      </>
    )}
    {kind === "reasons" && (
      <Field label={t("names.category")}>
        <input name="category" maxLength={400} defaultValue={entry?.category ?? ""} />
      </Field>
    )}
    {hasAliases(kind) && (
      <Field label={t("names.aliases")}>
        <input name="aliases" defaultValue={entry?.aliases?.join(", ") ?? ""} />
      </Field>
    )}
    <button disabled={isBusy}>{t(entry === undefined ? "create" : "save")}</button>
    {onCancel !== undefined && (
      <button type="button" onClick={onCancel}>
        {t("cancel")}
      </button>
    )}
  </form>
)
