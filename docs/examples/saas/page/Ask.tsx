import { AnswerCitations, AnswerText, useAnswer } from "sightline/react"
import { client } from "./client.ts"

export const Ask = () => {
  const { turns, status, ask, stop, resume } = useAnswer({ client })
  const isRunning = status === "submitted" || status === "streaming"
  return (
    <section>
      {turns.map(({ id, question, text, citations, status, error }) => (
        <article key={id} aria-busy={status === "submitted" || status === "streaming"}>
          <h2>{question}</h2>
          <AnswerText text={text} citations={citations} />
          {status === "done" && <AnswerCitations citations={citations} />}
          {status === "failed" && <p role="alert">{error?.message}</p>}
        </article>
      ))}
      {status === "error" && <button onClick={resume}>Try again</button>}
      <form action={(form) => ask(String(form.get("question")))}>
        <label>
          Question
          <input name="question" required />
        </label>
        {isRunning ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button>Ask</button>
        )}
      </form>
    </section>
  )
}
