import { useSignal } from "@preact/signals"
import type { Filters } from "../../client/client.ts"
import * as format from "../common/format.ts"
import { Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { describe, labelFilter } from "../deals/names.ts"
import { Cost } from "./cost.tsx"
import { EntryList } from "./entryList.tsx"
import { type Kind, type Question, QuestionForm } from "./questionForm.tsx"
import { Rubrics } from "./rubrics.tsx"

/** The workspace's own questions: answers, and scores with an explanation; and its words for the scores of every deal. */
export const Questions = () => (
  <>
    <p class="soft">{t("questions.lead")}</p>
    <QuestionsOf kind="answers" />
    <QuestionsOf kind="metrics" />
    <Rubrics />
  </>
)

const QuestionsOf = ({ kind }: { readonly kind: Kind }) => {
  const priced = useSignal<string | undefined>(undefined)
  return (
    <section class="card" aria-label={t(`questions.${kind}`)}>
      <h2>{t(`questions.${kind}`)}</h2>
      <p class="soft small">{t(`questions.${kind}Hint`)}</p>
      <EntryList<Kind, Question>
        kind={kind}
        form={QuestionForm}
        add={t("questions.add")}
        empty={<Notice title={t("questions.none")} />}
        rowClass="row own-question"
        about={(entry) => <About kind={kind} entry={entry} />}
        buttons={({ id, question }) =>
          question !== null && (
            <button
              type="button"
              aria-expanded={priced.value === id}
              onClick={() => (priced.value = priced.value === id ? undefined : id)}
            >
              {t("questions.cost")}
            </button>
          )
        }
        below={({ id, filters, question }) => priced.value === id && <Cost filters={filters} question={question} />}
        onSaved={(id, { question }) => (priced.value = question === null ? undefined : id)}
      />
    </section>
  )
}

const About = ({ kind, entry }: { readonly kind: Kind; readonly entry: Question }) => (
  <span class="grow">
    <strong>
      {entry.name}
      {kind === "answers" && <span class="tag">{t(`questions.form.${entry.form ?? "sentence"}`)}</span>}
    </strong>
    <span class={entry.question === null ? "whole soft" : "whole"}>{entry.question ?? t("questions.noQuestion")}</span>
    <span class="soft whole">
      {[
        ...(entry.options === undefined || entry.options.length === 0 ? [] : [entry.options.join(", ")]),
        ...(entry.question === null ? [] : [describeDeals(entry.filters)]),
        t("questions.answered", { count: format.count(entry.deals) }),
      ].join(" · ")}
    </span>
  </span>
)

/** The deals that a question is asked of, in words. */
const describeDeals = (filters: Filters) => {
  const set = Object.entries(filters)
  return set.length === 0
    ? t("questions.ofAll")
    : `${t("questions.ofThese")} ${set.map(([name, value]) => `${labelFilter(name)}: ${describe(name, value)}`).join("; ")}`
}
