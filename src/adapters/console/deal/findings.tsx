import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import * as format from "../common/format.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { type Analysis, follow, judge, run, useAnalysis, verify } from "./analysis.ts"
import { Conflicts } from "./conflicts.tsx"
import { FindingRow } from "./finding.tsx"
import { Groups } from "./groups.tsx"

const KEYS = [
  ["j", "findings.down"],
  ["k", "findings.up"],
  ["a", "findings.accept"],
  ["r", "findings.reject"],
  ["o", "findings.open"],
] as const

/** The findings of the deal's documents, for a person to accept or reject. */
export const Findings = ({ id, isReview }: { readonly id: string; readonly isReview: boolean }) => {
  const query = useAnalysis(id)
  return (
    <section class="card findings" aria-label={t("findings.title")}>
      <Loaded query={query} lines={4}>
        {(analysis) => <Judging key={id} id={id} analysis={analysis} isReview={isReview} />}
      </Loaded>
    </section>
  )
}

interface Props {
  readonly id: string
  readonly analysis: Analysis
  readonly isReview: boolean
}

const Judging = ({ id, analysis, isReview }: Props) => {
  const { session } = current()
  const mayJudge = may(session, "analysis.run")
  const refusal = useSignal("")
  const list = useRef<HTMLUListElement>(null)
  const last = useRef(-1)
  const { findings, state, run_id } = analysis
  const isRunning = state === "queued" || state === "running"
  const open = findings.filter((finding) => finding.state === "proposed").length

  const attempt = async (act: () => Promise<unknown>) => {
    refusal.value = ""
    try {
      await act()
    } catch (error) {
      if (!(error as Error).name.startsWith("Abort")) refusal.value = (error as Error).message
    }
  }

  useEffect(() => {
    if (!isRunning || run_id === null) return
    const abort = new AbortController()
    void attempt(() => follow(id, run_id, abort.signal))
    return () => abort.abort()
  }, [isRunning, run_id])

  const focus = (index: number) => {
    const rows = list.current?.children
    const at = Math.max(0, Math.min(index, (rows?.length ?? 0) - 1))
    const row = rows?.[at]
    if (row instanceof HTMLElement) row.focus()
    last.current = at
  }
  useEffect(() => {
    if (isReview) focus(findings.findIndex((finding) => finding.state === "proposed"))
  }, [isReview])

  const decide = async (index: number, verdict: "accepted" | "rejected") => {
    const finding = findings[index]
    if (finding === undefined || !mayJudge) return
    const next = findings.findIndex((each, at) => at > index && each.state === "proposed")
    focus(next === -1 ? index : next)
    await attempt(() => judge(id, finding.id, { state: verdict }))
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return
    const rows = [...(list.current?.children ?? [])]
    const focused = rows.findIndex((each) => event.target instanceof Node && each.contains(event.target))
    const index = focused === -1 ? last.current : focused
    const row = rows[index]
    const acts: Readonly<Record<string, () => void>> = {
      j: () => focus(index + 1),
      k: () => focus(index - 1),
      a: () => void decide(index, "accepted"),
      r: () => void decide(index, "rejected"),
      o: () => row?.querySelector<HTMLButtonElement>(".quote")?.click(),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  // A review is about its findings, so that the letters work wherever the focus is. Elsewhere a finding needs the focus.
  useEffect(() => {
    if (!isReview) return
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  })

  return (
    <>
      <h2>
        {t("findings.title")}
        <span class="soft">{t("findings.open_count", { count: format.count(open) })}</span>
      </h2>
      <p class="finding-acts">
        {mayJudge && (
          <button type="button" disabled={isRunning} onClick={() => void attempt(() => run(id))}>
            {isRunning ? t("findings.running") : t(state === "none" ? "findings.run" : "findings.again")}
          </button>
        )}
        {may(session, "analysis.verify") && state === "ready" && analysis.verified_at === null && (
          <button type="button" onClick={() => void attempt(() => verify(id))}>
            {t("findings.verify")}
          </button>
        )}
        {isRunning && <progress aria-label={t("findings.running")} />}
        {analysis.stale && !isRunning && <span class="soft">{t("findings.stale")}</span>}
      </p>
      <p class="refusal" role="alert">
        {refusal.value || (state === "failed" ? analysis.error : "")}
      </p>
      {findings.length === 0 ? (
        <Notice title={t(state === "none" ? "findings.none" : "findings.empty")}>
          <p>{t("findings.hint")}</p>
        </Notice>
      ) : (
        <>
          <Conflicts analysis={analysis} />
          <Groups deal={id} findings={findings} />
          {mayJudge && (
            <p class="soft small keys">
              {KEYS.map(([key, name]) => (
                <span key={key}>
                  <kbd>{key}</kbd> {t(name)}
                </span>
              ))}
            </p>
          )}
          <ul ref={list} class="finding-list" {...(!isReview && { onKeyDown: onKey })}>
            {findings.map((finding) => (
              <FindingRow
                key={finding.id}
                finding={finding}
                mayJudge={mayJudge}
                onJudge={(judgement) => void attempt(() => judge(id, finding.id, judgement))}
              />
            ))}
          </ul>
          {analysis.omitted > 0 && <p class="soft">{t("findings.omitted", { count: analysis.omitted })}</p>}
        </>
      )}
    </>
  )
}
