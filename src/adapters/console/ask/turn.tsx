import { useSignal } from "@preact/signals"
import { Icon } from "../common/icons.tsx"
import { askHref } from "../common/links.ts"
import { Failure, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import type { Citation, Turn } from "./conversation.ts"
import { Answer } from "./answer.tsx"

interface Props {
  readonly turn: Turn
  /** A follow-up means little without the questions before it. */
  readonly isFirst: boolean
  /** The address of the source that is open. */
  readonly open: string | undefined
  readonly onOpen: (citation: Citation, number: number) => void
  readonly onRetry: () => void
}

/** A question and its answer, and how the answer ended. */
export const TurnView = ({ turn, isFirst, open, onOpen, onRetry }: Props) => {
  const isCopied = useSignal(false)
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
        {isFirst && state === "done" && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              void navigator.clipboard
                .writeText(new URL(askHref(question), location.href).href)
                .then(() => (isCopied.value = true))
            }
          >
            <Icon name="external" />
            {t(isCopied.value ? "secret.copied" : "ask.link")}
          </button>
        )}
        {typeof state === "object" && <Failure error={state.failed} retry={onRetry} />}
      </div>
    </article>
  )
}
