import { signal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { SightlineError } from "../../client/client.ts"
import { client, isMissing, queries } from "../common/api.ts"
import { Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Failure, Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { showWritten } from "./run.ts"
import { type Summary, Undone } from "./undone.tsx"

/** A day: the undo of a million rows takes minutes, and may wait behind others. */
const MAX_WAIT_MS = 86_400_000

/** The undo that this tab waits for. The wait goes on while the reader visits other pages. */
const watched = signal<{ readonly id: string; readonly progress: number } | undefined>(undefined)

const keyOf = (id: string) => ["import", id]
const load = (id: string) => (signal: AbortSignal) => client.workspace.getImport({ id }, { signal })

/** Waits for the end of an undo. The summary of the import says what came of it, also if it failed. */
const watch = async (id: string, run: string) => {
  if (watched.peek()?.id === id) return
  watched.value = { id, progress: 0 }
  try {
    await client.waitForRun(run, {
      timeoutMs: MAX_WAIT_MS,
      onProgress: ({ progress }) => (watched.value = { id, progress }),
    })
  } catch {
    // The summary says why.
  }
  await queries.invalidateQueries({ queryKey: keyOf(id) })
  watched.value = undefined
  await showWritten()
}

/** The page's words for the states in which the server refuses an undo. */
const explainRefusal = (error: unknown): string => {
  if (!(error instanceof SightlineError)) return (error as Error).message
  const { status, message } = error
  return status === 409
    ? t("undo.twice")
    : status === 410
      ? t("undo.late")
      : status === 403
        ? t("undo.forbidden")
        : status === 404
          ? t("undo.unknown")
          : message
}

/** An import of an earlier day, as the audit log links to it: what it did, and its undo. */
export const EarlierImport = ({ id }: { readonly id: string }) => {
  const query = useQuery(keyOf(id), load(id))
  if (query.isError) {
    return isMissing(query.error) ? <Notice title={t("undo.unknown")} /> : <Failure error={query.error} />
  }
  return (
    <Loaded query={query}>
      {(summary) => (
        <>
          <p>
            <strong>{t("undo.earlier", { at: format.instant(summary.started_at) })}</strong> {writeCounts(summary)}
            {summary.status !== "completed" && ` ${t(`undo.status.${summary.status}`)}`}
          </p>
          <Undo id={id} />
        </>
      )}
    </Loaded>
  )
}

const writeCounts = (summary: Summary): string =>
  (["created", "updated", "unchanged", "deleted", "failed"] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => t(`import.${name}`, { count: format.count(summary[name]) }))
    .join(", ")

/** Whether an import can be undone, the button for it, its progress, and what came of it. */
export const Undo = ({ id }: { readonly id: string }) => {
  const query = useQuery(keyOf(id), load(id))
  const { act, isBusy, refusal } = useAct()
  const dialog = useRef<HTMLDialogElement>(null)
  const summary = query.data
  const undone = summary?.undone ?? undefined
  const isRunning = undone?.status === "queued" || undone?.status === "running"
  useEffect(() => {
    if (isRunning) void watch(id, undone.run_id)
  }, [id, isRunning])
  const confirm = () =>
    act(async () => {
      dialog.current?.close()
      try {
        const { run_id } = await client.workspace.undoImport({ id })
        void watch(id, run_id)
      } catch (error) {
        // Another tab or person may have undone it: the summary then shows that.
        void queries.invalidateQueries({ queryKey: keyOf(id) })
        throw new Error(explainRefusal(error), { cause: error })
      }
    })
  if (summary === undefined) return query.isError ? <Failure error={query.error} /> : null
  if (watched.value?.id === id || isRunning) {
    const progress = watched.value?.progress ?? 0
    return (
      <div class="undo" role="status">
        <p>{t("undo.runs")}</p>
        <progress {...(progress > 0 && { value: progress })} aria-label={t("undo.progress")} />
      </div>
    )
  }
  return (
    <div class="undo">
      {refusal !== "" && <Refusal text={refusal} />}
      <Offer summary={summary} isBusy={isBusy} onAsk={() => dialog.current?.showModal()} />
      <Confirmation summary={summary} dialog={dialog} onConfirm={() => void confirm()} />
    </div>
  )
}

interface OfferProps {
  readonly summary: Summary
  readonly isBusy: boolean
  readonly onAsk: () => void
}

/** The undo that ended, and the button for one that can begin. */
const Offer = ({ summary, isBusy, onAsk }: OfferProps) => {
  const undone = summary.undone ?? undefined
  return (
    <>
      {undone?.status === "completed" && <Undone undone={undone} />}
      {(undone?.status === "failed" || undone?.status === "cancelled") && (
        <Refusal text={t("undo.ended", { reason: undone.error ?? undone.status })} />
      )}
      {summary.undo ? (
        <p class="acts">
          <button type="button" disabled={isBusy} onClick={onAsk}>
            {t(undone === undefined ? "undo.button" : "undo.again")}
          </button>
          {summary.undo_until !== null && (
            <span class="soft small">{t("undo.until", { at: format.instant(summary.undo_until) })}</span>
          )}
        </p>
      ) : (
        undone?.status !== "completed" && (
          <p class="soft small">{t("undo.not", { reason: summary.undo_refusal ?? "" })}</p>
        )
      )}
    </>
  )
}

const Confirmation = ({
  summary,
  dialog,
  onConfirm,
}: {
  readonly summary: Summary
  readonly dialog: { readonly current: HTMLDialogElement | null }
  readonly onConfirm: () => void
}) => {
  const title = useId()
  const text = useId()
  return (
    <dialog
      ref={dialog}
      class="editor undo-question"
      aria-labelledby={title}
      aria-describedby={text}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div>
        <h2 id={title}>{t("undo.title")}</h2>
        <div id={text}>
          <ul>
            {(["created", "updated", "deleted"] as const)
              .filter((name) => summary[name] > 0)
              .map((name) => (
                <li key={name}>{t(`undo.${name}`, { count: format.count(summary[name]) })}</li>
              ))}
          </ul>
          <p>{t("undo.later")}</p>
        </div>
      </div>
      <footer class="acts">
        <button type="button" onClick={() => dialog.current?.close()}>
          {t("cancel")}
        </button>
        <button type="button" class="danger" onClick={onConfirm}>
          {t("undo.confirm")}
        </button>
      </footer>
    </dialog>
  )
}
