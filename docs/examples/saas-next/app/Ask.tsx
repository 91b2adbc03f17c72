"use client"

import { createClient } from "sightline/client"
import { AnswerCitations, AnswerText, useAnswer } from "sightline/react"

/** Without a key: the browser sends the session's cookie, and `principal` knows the user. */
const client = createClient({ baseUrl: "/intel" })

export const Ask = () => {
  const { turns, status, ask } = useAnswer({ client })
  return (
    <section aria-busy={status === "submitted" || status === "streaming"}>
      {turns.map(({ id, question, text, citations, error }) => (
        <article key={id}>
          <h2>{question}</h2>
          <AnswerText text={text} citations={citations} />
          <AnswerCitations citations={citations} />
          {error !== undefined && <p role="alert">{error.message}</p>}
        </article>
      ))}
      <form action={(form) => ask(String(form.get("question")))}>
        <label>
          Question <input name="question" required />
        </label>{" "}
        <button>Ask</button>
      </form>
    </section>
  )
}
