import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { queries } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { Refusal } from "../common/controls.tsx"
import { Drop } from "../common/files.tsx"
import * as format from "../common/format.ts"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { Check } from "./check.tsx"
import { type Draft, newDraft } from "./draft.ts"
import { Outcome } from "./outcome.tsx"
import { DRY_RUN, importing } from "./run.ts"
import { readSample } from "./sample.ts"
import { EarlierImport, Undo } from "./undo.tsx"

/** Imports a file: chosen, checked by a dry run that shows its plan, corrected, then run by that plan. */
export const ImportWizard = () => {
  const { query, route } = useLocation()
  const draft = useSignal<Draft | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const choose = (file: File) =>
    act(async () => {
      const sample = await readSample(file)
      importing.value = importing.value.state === "running" ? importing.value : { state: "idle" }
      draft.value = newDraft(sample, "deal")
      if (query["import"] !== undefined) route(hrefOf("/settings/import"), true)
    })
  const earlier = draft.value === undefined && importing.value.state !== "running" ? query["import"] : undefined
  const checkAgain = () => {
    queries.removeQueries({ queryKey: [DRY_RUN] })
    importing.value = { state: "idle" }
  }
  return (
    <section class="card import">
      <h2>{t("settings.import")}</h2>
      <p class="soft">{t("import.hint")}</p>
      <Drop
        accept=".csv,.tsv,.txt,.xlsx,.xls,.html,.ndjson,.jsonl,.json,.gz"
        title={t("import.drop")}
        hint={draft.value?.sample.file.name ?? t("import.formats")}
        isDisabled={isBusy || importing.value.state === "running"}
        onFiles={([file]) => file !== undefined && void choose(file)}
      />
      {refusal !== "" && <Refusal text={refusal} />}
      {earlier === undefined ? (
        <Running {...(draft.value !== undefined && { onCheckAgain: checkAgain })} />
      ) : (
        <EarlierImport id={earlier} />
      )}
      {draft.value !== undefined && importing.value.state === "idle" && (
        <Check draft={draft.value} onChange={(next) => (draft.value = next)} />
      )}
    </section>
  )
}

/** The import that runs, and how it ended. */
const Running = ({ onCheckAgain }: { readonly onCheckAgain?: () => void }) => {
  const now = importing.value
  if (now.state === "idle") return null
  if (now.state === "failed") {
    return (
      <>
        <Refusal text={now.reason} />
        {now.isOutdated && onCheckAgain !== undefined && (
          <p class="acts">
            <button type="button" class="primary" onClick={onCheckAgain}>
              {t("import.checkAgain")}
            </button>
          </p>
        )}
      </>
    )
  }
  if (now.state === "done") {
    return (
      <>
        <Outcome report={now.report} title={t("import.done", { name: now.name })} />
        {now.report.import_id !== undefined && <Undo id={now.report.import_id} />}
      </>
    )
  }
  return (
    <div role="status">
      <p>{t(now.sent < 1 ? "import.sending" : "import.writing", { name: now.name, part: format.percent(now.sent) })}</p>
      <progress {...(now.sent < 1 && { value: now.sent })} aria-label={t("import.progress")} />
    </div>
  )
}
