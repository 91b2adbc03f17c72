import { useSignal } from "@preact/signals"
import type { RecordType } from "../../../core/import/records.ts"
import type { Import } from "../../client/client.ts"
import { client } from "../common/api.ts"
import { Field, Refusal } from "../common/controls.tsx"
import { Drop } from "../common/files.tsx"
import * as format from "../common/format.ts"
import { Failure, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { proposeMapping, TYPES } from "./fields.ts"
import { Outcome } from "./outcome.tsx"
import { Preview } from "./preview.tsx"
import { importing, runImport } from "./run.ts"
import { guessDates, readSample, type Sample } from "./sample.ts"

const DATES = ["ISO", "DMY", "MDY"] as const

interface Plan {
  readonly sample: Sample
  readonly type: RecordType
  readonly mapping: ReadonlyMap<string, string>
  readonly dates: (typeof DATES)[number]
}

/** The query of an import. An empty list ignores a column that is named like a field. */
const queryOf = ({ sample, type, mapping, dates: order }: Plan) => {
  const dates = order === "ISO" ? {} : { dates: order }
  return sample.isCsv
    ? {
        type,
        ...dates,
        map: JSON.stringify(Object.fromEntries(sample.headers.map((header) => [header, mapping.get(header) ?? []]))),
      }
    : dates
}

const inputOf = (plan: Plan, content: Blob | string): Import =>
  plan.sample.isCsv ? { ...queryOf(plan), csv: content } : { ...queryOf(plan), ndjson: content }

/** Imports a file of records: chosen, its columns mapped, checked before anything is written, then run. */
export const ImportWizard = () => {
  const plan = useSignal<Plan | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const choose = (file: File) =>
    act(async () => {
      const sample = await readSample(file)
      if (sample.rows.length === 0) throw new Error(t("import.empty", { name: file.name }))
      importing.value = importing.value.state === "running" ? importing.value : { state: "idle" }
      plan.value = {
        sample,
        type: "deal",
        mapping: proposeMapping("deal", sample.headers),
        dates: guessDates(sample.rows),
      }
    })
  return (
    <section class="card import">
      <h2>{t("settings.import")}</h2>
      <p class="soft">{t("import.hint")}</p>
      <Drop
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
        title={t("import.drop")}
        hint={plan.value?.sample.file.name ?? t("import.formats")}
        isDisabled={isBusy || importing.value.state === "running"}
        onFiles={([file]) => file !== undefined && void choose(file)}
      />
      {refusal !== "" && <Refusal text={refusal} />}
      <Running />
      {plan.value !== undefined && importing.value.state === "idle" && (
        <Planned plan={plan.value} onChange={(next) => (plan.value = next)} />
      )}
    </section>
  )
}

/** The import that runs, and how it ended. */
const Running = () => {
  const now = importing.value
  if (now.state === "idle") return null
  if (now.state === "failed") return <Refusal text={now.reason} />
  if (now.state === "done") return <Outcome report={now.report} title={t("import.done", { name: now.name })} />
  return (
    <div role="status">
      <p>{t(now.sent < 1 ? "import.sending" : "import.writing", { name: now.name, part: format.percent(now.sent) })}</p>
      <progress {...(now.sent < 1 && { value: now.sent })} aria-label={t("import.progress")} />
    </div>
  )
}

const Planned = ({ plan, onChange }: { readonly plan: Plan; readonly onChange: (plan: Plan) => void }) => {
  const { sample, type, mapping, dates } = plan
  const map = (header: string, field: string) => {
    // A field is filled by one column: the latest choice takes it.
    const others = [...mapping].filter(([name, other]) => name !== header && other !== field)
    onChange({ ...plan, mapping: new Map(field === "" ? others : [...others, [header, field]]) })
  }
  return (
    <>
      {sample.isCsv && (
        <div class="form">
          <Field label={t("import.type")}>
            <select
              value={type}
              onChange={({ currentTarget }) => {
                const next = TYPES.find((each) => each === currentTarget.value) ?? type
                onChange({ ...plan, type: next, mapping: proposeMapping(next, sample.headers) })
              }}
            >
              {TYPES.map((each) => (
                <option key={each} value={each}>
                  {t(`recordType.${each}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t("import.dates")}>
            <select
              value={dates}
              onChange={({ currentTarget }) =>
                onChange({ ...plan, dates: DATES.find((each) => each === currentTarget.value) ?? dates })
              }
            >
              {DATES.map((each) => (
                <option key={each} value={each}>
                  {t(`dates.${each}`)}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
      <h3>{t("import.preview")}</h3>
      <Preview sample={sample} type={type} mapping={mapping} onMap={map} />
      <Check plan={plan} />
    </>
  )
}

/** A preview of the import, by a dry run of the file's first part. */
const Check = ({ plan }: { readonly plan: Plan }) => {
  const { sample } = plan
  const { name, size, lastModified } = sample.file
  const query = useQuery(
    ["dry run", name, size, lastModified, queryOf(plan)],
    (signal) => client.workspace.import({ ...inputOf(plan, sample.text), dry_run: true }, { signal }),
    { keepPrevious: true },
  )
  return (
    <>
      <h3>{t("import.check")}</h3>
      {query.isError ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <Outcome
          report={query.data}
          title={t(sample.isWhole ? "import.wouldAll" : "import.wouldFirst", {
            count: format.count(query.data.received),
          })}
        />
      )}
      <p class="acts">
        <button
          type="button"
          class="primary"
          disabled={query.data === undefined || query.isError || query.isPlaceholderData}
          onClick={() => void runImport(name, inputOf(plan, sample.file))}
        >
          {t("import.run")}
        </button>
      </p>
    </>
  )
}
