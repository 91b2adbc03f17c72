import { Failure, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import type { Citation, Turn } from "./conversation.ts"
import { Answer } from "./answer.tsx"

interface Props {
  readonly turn: Turn
  /** The address of the source that is open. */
  readonly open: string | undefined
  readonly onOpen: (citation: Citation, number: number) => void
  readonly onRetry: () => void
}

/** A question and its answer, and how the answer ended. */
export const TurnView = ({ turn, open, onOpen, onRetry }: Props) => {
  const { question, answer, citations, state } = turn
  return (
    <article class="turn">
      <h2 class="question">{question}</h2>
      <div class="answer" aria-live="polite" aria-busy={state === "running"}>
        {answer === "" && state === "running" ? (
          <Skeleton lines={3} />
        ) : (
          <Answer answer={answer} citations={citations} isDone={state === "done"} open={open} onOpen={onOpen} />
        )}
        {state === "stopped" && <p class="soft">{t("ask.stopped")}</p>}
        {typeof state === "object" && <Failure error={state.failed} retry={onRetry} />}
      </div>
    </article>
  )
}
