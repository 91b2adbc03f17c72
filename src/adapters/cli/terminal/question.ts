import process from "node:process"
import { createInterface } from "node:readline/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Asks a person a question, if one sits at a terminal. */
export const Question = Context.Reference<{
  readonly canAsk: boolean
  /** Whether the answer is yes. Without one, it is no. */
  readonly ask: (question: string) => Effect.Effect<boolean>
}>("sightline/cli/Question", {
  defaultValue: () => ({
    canAsk: process.stdin.isTTY === true && process.stdout.isTTY === true,
    ask: (question) => Effect.promise((signal) => askHere(question, signal)),
  }),
})

const askHere = async (question: string, signal: AbortSignal): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")))
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
