import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { ANSWER_FORMS, type AnswerForm } from "../../../core/deals/columns/answerForms.ts"
import type { Filters } from "../../client/client.ts"
import { Field, textsOf } from "../common/controls.tsx"
import { t } from "../common/texts.ts"
import { FilterChips } from "../deals/filterChips.tsx"
import type { EntryFormProps } from "./entryList.tsx"

export type Kind = "answers" | "metrics"

/** A custom answer, or a custom metric, which has no form. */
export interface Question {
  readonly id: string
  readonly name: string
  readonly question: string | null
  readonly filters: Filters
  readonly form?: AnswerForm | null
  readonly options?: ReadonlyArray<string>
  readonly deals: number
}

const MAX_QUESTION = 1000

/** The fields of a question. The filters are outside the form, because their dialog has fields of its own. */
export const QuestionForm = ({ kind, entry, isBusy, onSave, onCancel }: EntryFormProps<Kind, Question>) => {
  const id = useId()
  const form = useSignal<AnswerForm>(entry?.form ?? "sentence")
  const filters = useSignal<Filters>(entry?.filters ?? {})
  return (
    <div class="question-form grow">
      <form
        id={id}
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const { name = "", question = null, options = "" } = textsOf(event.currentTarget)
          void onSave({
            name,
            question,
            filters: filters.value,
            ...(kind === "answers" && {
              form: form.value,
              options: form.value === "option" ? splitLines(options) : null,
            }),
          })
        }}
      >
        <Field label={t("name")}>
          <input name="name" required maxLength={400} defaultValue={entry?.name ?? ""} />
        </Field>
        {kind === "answers" && (
          <Field label={t("questions.form")}>
            <select
              value={form.value}
              onChange={({ currentTarget: { value } }) =>
                (form.value = ANSWER_FORMS.find((each) => each === value) ?? "sentence")
              }
            >
              {ANSWER_FORMS.map((each) => (
                <option key={each} value={each}>
                  {t(`questions.form.${each}`)}
                </option>
              ))}
            </select>
          </Field>
        )}
        <div class="whole">
          <Field label={t("questions.question")}>
            <textarea
              name="question"
              rows={2}
              maxLength={MAX_QUESTION}
              required={entry === undefined}
              placeholder={t(`questions.example.${kind}`)}
              defaultValue={entry?.question ?? ""}
            />
          </Field>
        </div>
        {form.value === "option" && (
          <div class="whole">
            <Field label={t("questions.options")}>
              <textarea name="options" rows={4} required defaultValue={entry?.options?.join("\n") ?? ""} />
            </Field>
          </div>
        )}
      </form>
      <div class="question-deals">
        <AskedOf filters={filters.value} />
        <FilterChips filters={filters.value} onChange={(next) => (filters.value = next)} />
      </div>
      <p class="acts">
        <button form={id} disabled={isBusy}>
          {t(entry === undefined ? "create" : "save")}
        </button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            {t("cancel")}
          </button>
        )}
      </p>
    </div>
  )
}

const AskedOf = ({ filters }: { readonly filters: Filters }) => (
  <span class="soft small">{t(Object.keys(filters).length === 0 ? "questions.ofAll" : "questions.ofThese")}</span>
)

const splitLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
