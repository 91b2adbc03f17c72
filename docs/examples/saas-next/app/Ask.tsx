"use client"

import { useState } from "react"
import { createClient } from "sightline/client"
import { AnswerCitations, AnswerText, useAnswer } from "sightline/react"

export const Ask = () => {
  // The server renders the form too, and asks nothing.
  const [client] = useState(() => createClient({ baseUrl: globalThis.location?.origin ?? "http://localhost" }))
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
        <input name="question" placeholder="Ask about your deals" aria-label="Question" required />
        <button>Ask</button>
      </form>
    </section>
  )
}
