import * as format from "../common/format.ts"
import { Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import type { WholeDeal } from "./wholeDeal.ts"

const MAX_SCORE = 5

/** The eight win-loss scores, 1 to 5; the explanation opens below each. */
export const Scorecard = ({ deal: { scorecard } }: { readonly deal: WholeDeal }) => {
  const scored = Object.entries(scorecard).filter(([, { score }]) => score !== null)
  return (
    <section class="card">
      <h2>{t("deal.scorecard")}</h2>
      {scored.length === 0 ? (
        <Notice title={t("deal.noScores")} />
      ) : (
        <ul class="scores">
          {scored.map(([name, { score, explanation }]) => (
            <li key={name}>
              <details>
                <summary>
                  <span class="grow">{t(`metric.${name as keyof WholeDeal["scorecard"]}`)}</span>
                  <span class="track">
                    <span class={chooseTone(score ?? 0)} style={{ width: `${(100 * (score ?? 0)) / MAX_SCORE}%` }} />
                  </span>
                  <strong>{format.decimal(score)}</strong>
                </summary>
                <p>{explanation ?? t("deal.noExplanation")}</p>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const chooseTone = (score: number) => (score >= 3.5 ? "back-won" : score < 2.5 ? "back-lost" : "back-open")
