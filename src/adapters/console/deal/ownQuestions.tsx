import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { useAnalysis } from "./analysis.ts"
import { Sources } from "./quotes.tsx"

const MAX_EACH = 50

/** The workspace's own questions, and what this deal answers. */
export const OwnQuestions = ({ id }: { readonly id: string }) => {
  const { workspace } = current()
  const answers = workspace.answers.data.slice(0, MAX_EACH)
  const metrics = workspace.metrics.data.slice(0, MAX_EACH)
  const columns = [
    ...answers.map((answer) => `custom_answer_${answer.id}` as const),
    ...metrics.flatMap(
      (metric) => [`custom_metric_score_${metric.id}`, `custom_metric_explanation_${metric.id}`] as const,
    ),
  ]
  const deal = useQuery(["deal", id, "own", columns], (signal) => client.deals.get({ id, columns }, { signal }), {
    enabled: columns.length > 0,
  }).data as Readonly<Record<string, unknown>> | undefined
  const analysis = useAnalysis(id).data
  const findQuotes = (found: { readonly sentences: ReadonlyArray<{ readonly findings: ReadonlyArray<string> }> }) => {
    const ids = new Set(found.sentences.flatMap(({ findings }) => findings))
    return analysis?.findings.filter((finding) => ids.has(finding.id)) ?? []
  }
  const rows = [
    ...answers.map(({ id: answer, name, question }) => ({
      name,
      question,
      text: textOf(deal?.[`custom_answer_${answer}`]),
      found: analysis?.custom_answers?.find((each) => each.id === answer),
    })),
    ...metrics.map(({ id: metric, name, question }) => ({
      name,
      question,
      text: writeScore(deal?.[`custom_metric_score_${metric}`], deal?.[`custom_metric_explanation_${metric}`]),
      found: analysis?.custom_metrics?.find((each) => each.id === metric),
    })),
  ].filter(({ text, found }) => text !== undefined || found !== undefined)
  if (rows.length === 0) return null
  return (
    <section class="card">
      <h2>{t("deal.questions")}</h2>
      <dl class="facts own">
        {rows.map(({ name, question, text, found }) => (
          <div key={name}>
            <dt title={question ?? undefined}>{name}</dt>
            <dd>
              {text ?? <span class="soft">{t("deal.notEstablished")}</span>}
              {found !== undefined && <Sources findings={findQuotes(found)} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined)

const writeScore = (score: unknown, explanation: unknown) =>
  typeof score === "number"
    ? [format.decimal(score), textOf(explanation)].filter((part) => part !== undefined).join(" · ")
    : textOf(explanation)
