import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { RecordType } from "../../../core/records/record.ts"
import { client } from "../common/api.ts"
import { Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Examples } from "./examples.tsx"
import { Options } from "./options.tsx"
import { Outcome } from "./outcome.tsx"
import { Plan } from "./plan.tsx"
import { Preview } from "./preview.tsx"
import { DRY_RUN, makeInput, explain, type Report, runImport } from "./run.ts"
import { readRows } from "./sample.ts"
import type { Draft } from "./draft.ts"

/** A dry run sends the whole file: of a larger one, only when the person asks for it. */
const MAX_BYTES_AT_ONCE = 32 * 1024 * 1024

/** The query of a dry run. A column with an empty list is ignored, whatever its name. */
const writeQuery = ({
  sample,
  type,
  mapping,
  name,
  dates,
  decimal,
  stages,
  rates,
  empty,
  keep,
  encoding,
  sheet,
  create,
}: Draft) =>
  sample.isRecords
    ? {}
    : {
        type,
        ...((mapping.size > 0 || name !== undefined) && { map: JSON.stringify(writeMap(mapping, name)) }),
        ...(dates !== undefined && { dates }),
        ...(decimal !== undefined && { decimal }),
        ...(Object.keys(rates).length > 0 && { rates: JSON.stringify(rates) }),
        ...(empty !== undefined && { empty }),
        ...(encoding !== undefined && { encoding }),
        ...(sheet !== undefined && { sheet }),
        ...(create !== undefined && { create }),
        ...(keep !== undefined && { keep_unmapped: keep }),
        ...(Object.keys(stages).length > 0 && { stage: JSON.stringify(stages) }),
      }

/** A column that is part of the name is named for its own field too: the server proposes fields for the columns that a map leaves out. */
const writeMap = (mapping: Draft["mapping"], name: Draft["name"] = []) => ({
  ...Object.fromEntries(name.map(({ column, field }) => [column, field])),
  ...Object.fromEntries([...mapping].map(([header, field]) => [header, field || []])),
  ...(name.length > 0 && { [name.map(({ column }) => column).join("+")]: "name" }),
})

/** Shows the plan of a dry run and what it would do, and imports by that plan. */
export const Check = ({ draft, onChange }: { readonly draft: Draft; readonly onChange: (draft: Draft) => void }) => {
  const { sample, type, mapping } = draft
  const { file } = sample
  const query = writeQuery(draft)
  const key = JSON.stringify([file.name, file.size, file.lastModified, query])
  const asked = useSignal("")
  const isAsked = file.size <= MAX_BYTES_AT_ONCE || asked.value === key
  const dry = useQuery(
    [DRY_RUN, key],
    (signal) =>
      client.workspace
        .import({ ...makeInput(query, file), dry_run: true }, { signal })
        .catch(async (error: unknown) => {
          throw new Error(await explain(error, file), { cause: error })
        }),
    // A reply stays right until something is imported. Another one would send the file and make a plan again.
    { enabled: isAsked, staleTime: Number.POSITIVE_INFINITY },
  )
  const isCurrent = dry.data !== undefined && !dry.isError
  // What was known before a choice is shown until the reply to it, and if it is refused.
  const known = useSignal<{ readonly file: File; readonly type: RecordType; readonly report: Report } | undefined>(
    undefined,
  )
  useEffect(() => {
    if (isCurrent) known.value = { file, type, report: dry.data }
  }, [dry.data, isCurrent])
  const before = known.value?.file === file && known.value.type === type ? known.value.report : undefined
  const shown = isCurrent ? dry.data : before
  const { headers, rows } = readRows(sample, shown)
  const chosen = new Set(mapping.values())
  const fieldOf = (header: string, at: number) => {
    const proposed = shown?.assumptions.columns?.[at]?.field ?? ""
    return mapping.get(header) ?? (chosen.has(proposed) ? "" : proposed)
  }
  return (
    <>
      {!sample.isRecords && <Options draft={draft} report={shown} onChange={onChange} />}
      {(headers.length > 0 || rows.length > 0) && (
        <>
          <h3>{t(rows.length > 0 ? "import.preview" : "import.previewFields")}</h3>
          <Preview
            type={type}
            headers={headers}
            rows={rows}
            fieldOf={fieldOf}
            assumptions={shown?.assumptions}
            onMap={(header, field) => {
              // A field is filled by one column: the latest choice takes it.
              const others = [...mapping].filter(
                ([name, other]) => name !== header && (other !== field || field === ""),
              )
              const { name, ...rest } = draft
              onChange({
                ...rest,
                ...(name !== undefined && field !== "name" && { name }),
                mapping: new Map([...others, [header, field]]),
              })
            }}
          />
        </>
      )}
      <h3>{t("import.check")}</h3>
      {isAsked ? (
        <DryRun dry={dry} draft={draft} isFirst={shown === undefined} />
      ) : (
        <p class="acts">
          <button type="button" onClick={() => (asked.value = key)}>
            {t("import.checkLarge", { size: format.bytes(file.size) })}
          </button>
        </p>
      )}
      <p class="acts">
        <button
          type="button"
          class="primary"
          disabled={!isCurrent || isRefused(dry.data)}
          onClick={() => {
            const plan_id = dry.data?.plan_id
            void runImport(plan_id === undefined ? query : { plan_id }, file)
          }}
        >
          {t("import.run")}
        </button>
      </p>
    </>
  )
}

/** The report of the dry run, or why there is none. */
const DryRun = ({
  dry,
  draft,
  isFirst,
}: {
  readonly dry: ReturnType<typeof useQuery<Report>>
  readonly draft: Draft
  readonly isFirst: boolean
}) => {
  if (dry.isError)
    return (
      <>
        <Refusal text={dry.error.message} />
        <p class="acts">
          <button type="button" onClick={() => void dry.refetch()}>
            {t("import.checkAgain")}
          </button>
        </p>
      </>
    )
  if (dry.data === undefined) return isFirst ? <Skeleton lines={2} /> : null
  return <Planned report={dry.data} isRecords={draft.sample.isRecords} isKeeping={draft.keep !== undefined} />
}

/** Whether the whole file was checked, and nothing of it can be imported. */
const isRefused = ({ counts_from, failed, received }: Report) => counts_from !== "sample" && failed === received

const Planned = ({
  report,
  isRecords,
  isKeeping,
}: {
  readonly report: Report
  readonly isRecords: boolean
  readonly isKeeping: boolean
}) => (
  <>
    <Plan report={report} isKeeping={isKeeping} />
    <Outcome
      report={report}
      title={t(report.counts_from === "sample" ? "import.wouldFirst" : "import.wouldAll", {
        count: format.count(report.received),
      })}
    />
    <Examples examples={report.examples ?? []} />
    {!isRecords && <p class="soft small">{t(report.plan_id === undefined ? "import.noPlan" : "import.byPlan")}</p>}
  </>
)
