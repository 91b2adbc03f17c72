import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import type { Question } from "../questions/questions.ts"
import type { CarriedSentence, WrittenAnswer } from "../written.ts"
import type { Calls } from "./calls.ts"
import { type Evidence, joined, makeCheck, NOT_CARRIED, type Parties, refer, shown } from "./evidence.ts"
import { AnswersForm } from "./forms.ts"
import { ANSWER_RULES } from "./prompts.ts"

/** Findings of a question that its answer is written from: the first ones. */
const MAX_PER_QUESTION = 20
const MAX_SENTENCES = { boolean: 1, sentence: 1, paragraph: 6, option: 1 } as const
/** No quote answers the question. */
const NOT_ESTABLISHED = "not established"

const FORMS = {
  boolean: "`value` is yes or no; one sentence says why",
  sentence: "one sentence; `value` is null",
  paragraph: "up to six sentences; `value` is null",
  option: "`value` is one of the options, letter by letter; one sentence says why",
} as const

const decode = Schema.decodeUnknownOption(AnswersForm.schema)
type Given = (typeof AnswersForm.schema.Type)["answers"][number]

const fold = (text: string) => text.trim().toLowerCase()

/** Answers each question that has a quote, in one call, and drops each sentence that its findings do not carry. */
export const answerQuestions = Effect.fnUntraced(function* (
  calls: Calls,
  evidence: ReadonlyArray<Evidence>,
  questions: ReadonlyArray<Question>,
  parties: Parties,
) {
  const ofQuestion = ({ id }: Question) =>
    evidence.filter(({ kind, target_id }) => kind === "answer" && target_id === id).slice(0, MAX_PER_QUESTION)
  const all = questions.filter(({ kind }) => kind === "answer")
  const asked = all.filter((each) => ofQuestion(each).length > 0)
  if (asked.length === 0) return { answers: all.map((each) => unanswered(each, NOT_ESTABLISHED)), droppedSentences: 0 }
  const referred = refer(asked.flatMap(ofQuestion))
  const refsOf = ({ id }: Question) => referred.filter(({ finding }) => finding.target_id === id)
  const { answers: given } = yield* calls.ask(
    {
      purpose: "answer",
      rules: ANSWER_RULES,
      data: {
        ...parties,
        questions: asked.map((each) => ({
          question: each.name,
          asks: each.question,
          form: FORMS[each.form],
          ...(each.form === "option" && { options: each.options }),
          findings: refsOf(each).map(shown),
        })),
      },
      form: AnswersForm,
      document: null,
      sample: 1,
    },
    decode,
  )
  let droppedSentences = 0
  const answers = all.map((question) => {
    const own = given.find((each) => fold(each.question) === fold(question.name))
    if (own === undefined || !asked.includes(question)) return unanswered(question, NOT_ESTABLISHED)
    const sentences = makeCheck(calls, refsOf(question), parties)(own.sentences)
    droppedSentences += own.sentences.length - sentences.length
    return settle(question, own, sentences.slice(0, MAX_SENTENCES[question.form]))
  })
  return { answers, droppedSentences }
})

const unanswered = ({ id, name }: Question, reason: string): WrittenAnswer => ({
  id,
  name,
  text: null,
  value: null,
  reason,
  sentences: [],
})

/** Writes an answer in the form of its question. A value counts only with a sentence that its findings carry. */
const settle = (question: Question, { value, sentences: said }: Given, sentences: ReadonlyArray<CarriedSentence>) => {
  if (sentences.length === 0) return unanswered(question, said.length > 0 ? NOT_CARRIED : NOT_ESTABLISHED)
  const { id, name, form, options } = question
  const text = joined(sentences)
  if (form === "sentence" || form === "paragraph") return { id, name, text, value: null, reason: null, sentences }
  const allowed = form === "option" ? options : ["Yes", "No"]
  const chosen = allowed.find((each) => value !== null && fold(each) === fold(value))
  if (chosen === undefined) return unanswered(question, "the model chose a value that is not allowed")
  return { id, name, text: form === "option" ? chosen : `${chosen}. ${text}`, value: chosen, reason: null, sentences }
}
