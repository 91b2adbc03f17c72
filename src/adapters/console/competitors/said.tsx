import { useSignal } from "@preact/signals"
import { client } from "../common/api.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Failure, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Answer } from "../ask/answer.tsx"
import { source } from "./source.ts"

const TOPICS = ["prices", "strengths", "weaknesses", "terms"] as const
type Topic = (typeof TOPICS)[number]

/** Prices and claims with their sources. It asks when the reader chooses a topic, because an answer may cost money. */
export const Said = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const topic = useSignal<Topic | undefined>(undefined)
  if (!may(current().session, "answers.create")) return null
  return (
    <section class="card">
      <h2>{t("competitors.said")}</h2>
      <div class="segments" role="group" aria-label={t("competitors.said")}>
        {TOPICS.map((each) => (
          <button key={each} type="button" aria-pressed={topic.value === each} onClick={() => (topic.value = each)}>
            {t(`topic.${each}`)}
          </button>
        ))}
      </div>
      {topic.value === undefined ? (
        <p class="soft">{t("competitors.saidHint")}</p>
      ) : (
        <Asked key={topic.value} id={id} question={t(`question.${topic.value}`, { name })} />
      )}
    </section>
  )
}

const Asked = ({ id, question }: { readonly id: string; readonly question: string }) => {
  const query = useQuery(["said", id, question], (signal) =>
    client.answers.create({ messages: [{ role: "user", content: question }] }, { signal }),
  )
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton lines={4} />
  const { content, citations } = query.data.message
  return (
    <Answer
      answer={content}
      citations={citations}
      isDone
      open={source.value?.url}
      onOpen={({ url, document_name }) => (source.value = { url, name: document_name })}
    />
  )
}
