/** The forms of a custom answer: true or false with a sentence that says why, one sentence, a paragraph, or one of a list. */
export const ANSWER_FORMS = ["boolean", "sentence", "paragraph", "option"] as const
export type AnswerForm = (typeof ANSWER_FORMS)[number]
