import { introduces, questions } from "../question.ts"

export const greeting = [
  ...questions("greeting", "demo", {
    hi: ["hi", introduces],
    help: ["help", introduces],
    "how-does-this-work": ["how does this work, what can I ask", introduces],
    thanks: [["how many open deals do we have?", "thanks!"], introduces],
    "who-are-you": ["who are you", introduces],
    hallo: ["Hallo, was kannst du?", introduces, "de"],
    bonjour: ["bonjour", introduces, "fr"],
  }),
]
