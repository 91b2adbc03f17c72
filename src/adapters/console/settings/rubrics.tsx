import { useSignal } from "@preact/signals"
import { type Rubric, RUBRICS } from "../../../core/analysis/rubrics.ts"
import { type Metric, METRICS } from "../../../core/deals/columns/metrics.ts"
import { client } from "../common/api.ts"
import { ConfirmButton, Field, Refusal, textsOf } from "../common/controls.tsx"
import { current, signedIn } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"

const SCORES = [1, 3, 5] as const
const MAX_MEANING = 400

/** The meanings of the scores that every deal has: the workspace's words, or the general ones. */
export const Rubrics = () => {
  const { workspace, session } = current()
  const edited = useSignal<Metric | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const save = (metric: Metric, rubric: Rubric | undefined) =>
    act(async () => {
      // An update replaces all rubrics, and another person may have changed one.
      const { [metric]: _, ...others } = (await client.workspace.get()).settings.rubrics
      const settings = await client.workspace.update({
        rubrics: rubric === undefined ? others : { ...others, [metric]: rubric },
      })
      signedIn.value = { session, workspace: { ...workspace, settings } }
      edited.value = undefined
    })
  return (
    <section class="card" aria-label={t("rubrics.title")}>
      <h2>{t("rubrics.title")}</h2>
      <p class="soft small">{t("rubrics.hint")}</p>
      <ul class="rows">
        {METRICS.map((metric) => {
          const own = workspace.settings.rubrics[metric]
          return (
            <li key={metric} class="row own-question">
              {edited.value === metric ? (
                <RubricForm
                  metric={metric}
                  own={own}
                  isBusy={isBusy}
                  onSave={(rubric) => void save(metric, rubric)}
                  onCancel={() => (edited.value = undefined)}
                />
              ) : (
                <>
                  <span class="grow">
                    <strong>
                      {t(`metric.${metric}`)}
                      {own === undefined && <span class="tag">{t("rubrics.general")}</span>}
                    </strong>
                    <Meanings rubric={own ?? RUBRICS[metric]} isOwn={own !== undefined} />
                  </span>
                  <button type="button" onClick={() => (edited.value = metric)}>
                    {t("change")}
                  </button>
                  {own !== undefined && (
                    <ConfirmButton
                      disabled={isBusy}
                      question={t("rubrics.resetAsk", { name: t(`metric.${metric}`) })}
                      onConfirm={() => void save(metric, undefined)}
                    >
                      {t("rubrics.reset")}
                    </ConfirmButton>
                  )}
                </>
              )}
            </li>
          )
        })}
      </ul>
      <Refusal text={refusal} />
    </section>
  )
}

/** The general words are English, as the language model sees them. */
const Meanings = ({ rubric, isOwn }: { readonly rubric: Rubric; readonly isOwn: boolean }) => (
  <dl class="meanings" lang={isOwn ? undefined : "en"}>
    {SCORES.map((score) => (
      <div key={score}>
        <dt>{score}</dt>
        <dd>{rubric[score]}</dd>
      </div>
    ))}
  </dl>
)

interface RubricFormProps {
  readonly metric: Metric
  readonly own: Rubric | undefined
  readonly isBusy: boolean
  readonly onSave: (rubric: Rubric) => void
  readonly onCancel: () => void
}

const RubricForm = ({ metric, own, isBusy, onSave, onCancel }: RubricFormProps) => (
  <form
    class="form grow rubric-form"
    aria-label={t(`metric.${metric}`)}
    onSubmit={(event) => {
      event.preventDefault()
      const { 1: least = "", 3: middle = "", 5: most = "" } = textsOf(event.currentTarget)
      onSave({ 1: least, 3: middle, 5: most })
    }}
  >
    <strong class="whole">{t(`metric.${metric}`)}</strong>
    {SCORES.map((score) => (
      <Field key={score} label={t("rubrics.meaning", { score })}>
        <textarea
          name={String(score)}
          rows={2}
          required
          maxLength={MAX_MEANING}
          placeholder={RUBRICS[metric][score]}
          defaultValue={own?.[score] ?? ""}
        />
      </Field>
    ))}
    <p class="acts whole">
      <button disabled={isBusy}>{t("save")}</button>
      <button type="button" onClick={onCancel}>
        {t("cancel")}
      </button>
    </p>
  </form>
)
