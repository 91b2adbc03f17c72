import { useSignal } from "@preact/signals"
import type { Filters } from "../../client/client.ts"
import { Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { describe, labelOf } from "../deals/names.ts"
import { Cost } from "./cost.tsx"
import { type Kind, type Question, QuestionForm } from "./questionForm.tsx"
import { EntryButtons } from "./entryButtons.tsx"
import { useEntries } from "./useEntries.ts"

/** The workspace's own questions: answers, and scores with an explanation. */
export const Questions = () => (
  <>
    <p class="soft">{t("questions.lead")}</p>
    <QuestionsOf kind="answers" />
    <QuestionsOf kind="metrics" />
  </>
)

const QuestionsOf = ({ kind }: { readonly kind: Kind }) => {
  const { query, isBusy, refusal, put, remove, more } = useEntries(kind)
  const edited = useSignal<string | undefined>(undefined)
  const priced = useSignal<string | undefined>(undefined)
  const created = useSignal(0)
  const save = (id: string, fields: Parameters<typeof put>[1]) =>
    put(id, fields, () => {
      if (edited.value === id) edited.value = undefined
      else created.value++
      priced.value = fields.question === null ? undefined : id
    })
  return (
    <section class="card" aria-label={t(`questions.${kind}`)}>
      <h2>{t(`questions.${kind}`)}</h2>
      <p class="soft small">{t(`questions.${kind}Hint`)}</p>
      <Loaded query={query} lines={4}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <Notice title={t("questions.none")} />}
            <ul class="rows">
              {(data as unknown as ReadonlyArray<Question>).map((entry) => (
                <li key={entry.id} class="row own-question">
                  {edited.value === entry.id ? (
                    <QuestionForm
                      kind={kind}
                      entry={entry}
                      isBusy={isBusy}
                      onSave={(fields) => save(entry.id, fields)}
                      onCancel={() => (edited.value = undefined)}
                    />
                  ) : (
                    <>
                      <About kind={kind} entry={entry} />
                      {entry.question !== null && (
                        <button
                          type="button"
                          aria-expanded={priced.value === entry.id}
                          onClick={() => (priced.value = priced.value === entry.id ? undefined : entry.id)}
                        >
                          {t("questions.cost")}
                        </button>
                      )}
                      <EntryButtons
                        name={entry.name}
                        isBusy={isBusy}
                        onChange={() => (edited.value = entry.id)}
                        onDelete={() => void remove(entry.id)}
                      />
                      {priced.value === entry.id && <Cost filters={entry.filters} question={entry.question} />}
                    </>
                  )}
                </li>
              ))}
            </ul>
            {next_cursor !== null && (
              <button type="button" disabled={isBusy} onClick={() => void more(next_cursor)}>
                {t("more")}
              </button>
            )}
          </>
        )}
      </Loaded>
      <h3>{t("questions.add")}</h3>
      <QuestionForm
        key={`new ${created.value}`}
        kind={kind}
        isBusy={isBusy}
        onSave={(fields) => save(crypto.randomUUID(), fields)}
      />
      <Refusal text={refusal} />
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
        ...(entry.question === null ? [] : [dealsOf(entry.filters)]),
        t("questions.answered", { count: format.count(entry.deals) }),
      ].join(" · ")}
    </span>
  </span>
)

/** The deals that a question is asked of, in words. */
const dealsOf = (filters: Filters) => {
  const set = Object.entries(filters)
  return set.length === 0
    ? t("questions.ofAll")
    : `${t("questions.ofThese")} ${set.map(([name, value]) => `${labelOf(name)}: ${describe(name, value)}`).join("; ")}`
}
