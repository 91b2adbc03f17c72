import { introduces, questions } from "../question.ts"

export const greeting = [
  ...questions("greeting", "demo", {
    "what-can-you-do": ["what can you do?", introduces],
    "good-morning": ["good morning!", introduces],
    hola: ["hola", introduces, "es"],
  }),
  ...questions("greeting", "crm", {
    hello: ["hello there", introduces],
    "what-data": ["what data do you have", introduces],
    "get-started": ["i'm new here, where do I start?", introduces],
    hey: ["hey", introduces],
  }),
]
