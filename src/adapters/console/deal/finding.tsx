import { EFFECTS } from "../../../core/analysis/finding.ts"
import { formatTime } from "../../../core/library/viewer/places.ts"
import { t } from "../common/texts.ts"
import { evidence, type Finding, type Judgement, openEvidence } from "./analysis.ts"

/** One finding: what it says, its quote, and the buttons that judge it. */
export const FindingRow = ({
  finding,
  mayJudge,
  onJudge,
}: {
  readonly finding: Finding
  readonly mayJudge: boolean
  readonly onJudge: (judgement: Judgement) => void
}) => {
  const { kind, target, effect, side, speaker, quote, document_name, start_second, state } = finding
  return (
    <li
      class={`finding ${state}`}
      tabIndex={-1}
      aria-current={evidence.value?.id === finding.id || undefined}
      aria-label={`${t(`finding.${kind}`)}: ${target.name}, ${t(`findingState.${state}`)}`}
    >
      <p class="finding-head">
        <span class="tag">{t(`finding.${kind}`)}</span>
        <strong>{target.name}</strong>
        <span class={`badge ${state === "accepted" ? "won" : state === "rejected" ? "lost" : "open"}`}>
          {t(`findingState.${state}`)}
        </span>
      </p>
      <button type="button" class="quote" disabled={finding.url === null} onClick={() => openEvidence(finding)}>
        “{quote}”
      </button>
      <p class="soft small">
        {[speaker, t(`side.${side}`), document_name, ...(start_second === undefined ? [] : [formatTime(start_second)])]
          .filter((part) => part !== null)
          .join(" · ")}
      </p>
      {mayJudge && (
        <p class="finding-acts">
          <button type="button" aria-pressed={state === "accepted"} onClick={() => onJudge({ state: "accepted" })}>
            {t("findings.accept")}
          </button>
          <button type="button" aria-pressed={state === "rejected"} onClick={() => onJudge({ state: "rejected" })}>
            {t("findings.reject")}
          </button>
          {kind !== "quote" && (
            <select
              aria-label={t("findings.effect")}
              value={effect ?? ""}
              onChange={({ currentTarget: { value } }) =>
                onJudge({ state: "accepted", effect: EFFECTS.find((each) => each === value) ?? null })
              }
            >
              <option value="">{t("findings.noEffect")}</option>
              {EFFECTS.map((each) => (
                <option key={each} value={each}>
                  {t(`effect.${each}`)}
                </option>
              ))}
            </select>
          )}
        </p>
      )}
    </li>
  )
}
