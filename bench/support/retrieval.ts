import { existsSync, readFileSync } from "node:fs"
import type { Source } from "../../test/support/addDocuments.ts"

const FOLDER = new URL("../../../shared/data/retrieval/", import.meta.url)

/** Whether the data is here: nobody of this project wrote it, and it does not come with it. */
export const hasRetrievalData = existsSync(FOLDER)

/** A question, and how relevant chunks are to it, by document name and chunk number joined with `#`. */
export interface Judged {
  readonly question: string
  readonly grades: ReadonlyMap<string, number>
}

const read = (path: string) => readFileSync(new URL(path, FOLDER), "utf8")

const records = (text: string) =>
  text.split(/^\.I /m).flatMap((record) => {
    const id = Number.parseInt(record, 10)
    const [, body] = record.split(/^\.W\r?\n/m)
    return body === undefined ? [] : [{ id, body: body.trim() }]
  })

/**
 * 1,400 abstracts of aerodynamics. Judgements count queries from 1 in the order of their file. What was judged 1 to 4 is
 * relevant, all alike: what the numbers rank is told one way by the set's own notes and another by those who use it.
 */
export const cranfield = () => {
  const name = (id: number) => `cranfield-${String(id).padStart(4, "0")}.txt`
  const documents: ReadonlyArray<Source> = records(read("cranfield/cran.all.1400")).map(({ id, body }) => ({
    name: name(id),
    chunks: [body],
  }))
  const grades = new Map<number, Map<string, number>>()
  for (const line of read("cranfield/cranqrel").trim().split("\n")) {
    const [query = 0, document = 0, grade = 5] = line.trim().split(/\s+/).map(Number)
    if (!grades.has(query)) grades.set(query, new Map())
    if (grade >= 1 && grade <= 4) grades.get(query)!.set(`${name(document)}#0`, 1)
  }
  const questions: ReadonlyArray<Judged> = records(read("cranfield/cran.qry")).map(({ body }, index) => ({
    question: body.replaceAll(/\s+/g, " "),
    grades: grades.get(index + 1) ?? new Map<string, number>(),
  }))
  return { documents, questions }
}

interface Article {
  readonly title: string
  readonly paragraphs: ReadonlyArray<{
    readonly context: string
    readonly qas: ReadonlyArray<{
      readonly question: string
      readonly answers: ReadonlyArray<{ readonly answer_start: number; readonly text: string }>
    }>
  }>
}

export interface Asked extends Judged {
  readonly article: string
  readonly answers: ReadonlyArray<string>
}

/** Articles of an encyclopedia, a chunk a paragraph; what is asked of each, and the answers that stand in it. */
export const squad = () => {
  const { data }: { data: ReadonlyArray<Article> } = JSON.parse(read("squad/dev-part-a.json"))
  const name = ({ title }: Article) => `${title}.txt`
  const documents: ReadonlyArray<Source> = data.map((article) => ({
    name: name(article),
    chunks: article.paragraphs.map(({ context }) => context.trim()),
  }))
  const questions: ReadonlyArray<Asked> = data.flatMap((article) =>
    article.paragraphs.flatMap(({ qas }, n) =>
      qas.map(({ question, answers }) => ({
        question: question.trim(),
        article: name(article),
        answers: [...new Set(answers.map(({ text }) => text))],
        grades: new Map([[`${name(article)}#${n}`, 1]]),
      })),
    ),
  )
  return { documents, questions }
}

/** Sentences that order a reader about, by kind. */
export const attacks = (): ReadonlyArray<string> =>
  Object.values(JSON.parse(read("injection/text_attack_train.json")) as Record<string, ReadonlyArray<string>>).flat()

/** How well a ranking of ten stands to what was judged: 1 is the best there can be. */
export const nDcg = (ranking: ReadonlyArray<string>, grades: ReadonlyMap<string, number>): number => {
  const gain = (all: ReadonlyArray<number>) =>
    all.slice(0, 10).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)
  const ideal = gain([...grades.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gain(ranking.map((key) => grades.get(key) ?? 0)) / ideal
}
