import type { ComponentChildren } from "preact"
import { t } from "../common/texts.ts"
import { ask, type Citation } from "./conversation.ts"
import { Markdown } from "./markdown.tsx"

interface Props {
  readonly answer: string
  readonly citations: ReadonlyArray<Citation>
  readonly isDone: boolean
  /** The address of the source that is open. */
  readonly open: string | undefined
  readonly onOpen: (citation: Citation, number: number) => void
}

/** The text of an answer, whose links are numbered like the list of sources below it. */
export const Answer = ({ answer, citations, isDone, open, onOpen }: Props) => {
  const drawLink = (href: string, children: ComponentChildren, isNumber: boolean) => {
    const index = citations.findIndex(({ url }) => url === href)
    const citation = citations[index]
    if (citation === undefined) return <span>{children}</span>
    return (
      <>
        {!isNumber && <>{children} </>}
        <button
          type="button"
          class="source"
          aria-pressed={open === citation.url}
          title={`${citation.document_name}: ${citation.excerpt}`}
          aria-label={t("ask.source", { number: index + 1, name: citation.document_name })}
          onClick={() => onOpen(citation, index + 1)}
        >
          {index + 1}
        </button>
      </>
    )
  }
  return (
    <>
      <Markdown text={answer} link={drawLink} ask={(question) => void ask(question)} />
      {isDone && citations.length > 0 && (
        <details class="source-list" open={citations.length <= 3}>
          <summary>{t("ask.sources", { count: citations.length })}</summary>
          <ol>
            {citations.map((citation, index) => (
              <li key={citation.url}>
                <button type="button" aria-pressed={open === citation.url} onClick={() => onOpen(citation, index + 1)}>
                  <strong>{citation.document_name}</strong>
                  <span class="soft">{citation.excerpt}</span>
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}
