import { existsSync, readFileSync } from "node:fs"
import type { Source } from "../../test/support/addDocuments.ts"

const FOLDER = new URL("../../../shared/data/retrieval/", import.meta.url)

/** Whether the data is present. It is not part of this repository. */
export const hasRetrievalData = existsSync(FOLDER)

/** A question, and the relevance of chunks, by document name and chunk number joined with `#`. */
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
 * 1,400 abstracts of aerodynamics. Judgements count queries from 1 in the order of their file. Grades 1 to 4 all count as relevant,
 * because the notes of the set and its users disagree about what the grades rank.
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

/** Articles of an encyclopedia, one chunk per paragraph, with questions and the answers that occur in the text. */
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

/** Sentences that give orders to a reader, by kind. */
export const attacks = (): ReadonlyArray<string> =>
  Object.values(JSON.parse(read("injection/text_attack_train.json")) as Record<string, ReadonlyArray<string>>).flat()

/** nDCG of a ranking of ten; 1 is the best possible. */
export const nDcg = (ranking: ReadonlyArray<string>, grades: ReadonlyMap<string, number>): number => {
  const gain = (all: ReadonlyArray<number>) =>
    all.slice(0, 10).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)
  const ideal = gain([...grades.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gain(ranking.map((key) => grades.get(key) ?? 0)) / ideal
}
