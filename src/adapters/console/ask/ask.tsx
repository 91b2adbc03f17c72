import { signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { hrefOf } from "../common/base.ts"
import { Icon } from "../common/icons.tsx"
import { Failure } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { Questions } from "../home/lists.tsx"
import { Earlier } from "./earlier.tsx"
import { ask, type Citation, resume, startOver, stop, turns } from "./conversation.ts"
import { TurnView } from "./turn.tsx"
import { dealHref } from "../common/links.ts"
import { ViewerPanel } from "../common/viewerPanel.tsx"

interface OpenSource {
  readonly citation: Citation
  readonly number: number
}

/** The viewer's page of a source, at the cited passage, page, row or second. */
const SourcePanel = ({ source, onClose }: { readonly source: OpenSource; readonly onClose: () => void }) => {
  const { citation, number } = source
  return (
    <ViewerPanel
      url={citation.url}
      name={`${number} · ${citation.document_name}`}
      label={t("ask.source", { number, name: citation.document_name })}
      onClose={onClose}
    >
      {citation.deal_id !== null && <a href={dealHref(citation.deal_id)}>{t("ask.deal")}</a>}
    </ViewerPanel>
  )
}

const source = signal<OpenSource | undefined>(undefined)

/** Questions and answers; a source opens beside them. */
export const Ask = () => {
  const { query, route } = useLocation()
  const field = useRef<HTMLTextAreaElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const asked = query["q"]
  useEffect(() => {
    if (asked === undefined) return
    route(hrefOf("/ask"), true)
    void ask(asked)
  }, [asked])
  const opened = query["c"]
  const failure = useSignal<Error | undefined>(undefined)
  useEffect(() => {
    if (opened === undefined) return
    route(hrefOf("/ask"), true)
    resume(opened).then(
      () => (failure.value = undefined),
      (error: Error) => (failure.value = error),
    )
  }, [opened])
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const all = turns.value
  const isRunning = all.at(-1)?.state === "running"
  useEffect(() => {
    if (all.length > 0) end.current?.scrollIntoView({ block: "end" })
  }, [all.length])

  const submit = () => {
    const question = field.current?.value.trim() ?? ""
    if (question === "" || isRunning) return
    field.current!.value = ""
    failure.value = undefined
    void ask(question)
  }

  return (
    <div class={source.value === undefined ? "ask" : "ask with-source"}>
      <div class="talk">
        <header class="page-head">
          <h1>{t("nav.ask")}</h1>
          {all.length > 0 && (
            <button
              type="button"
              onClick={() => {
                source.value = undefined
                startOver()
              }}
            >
              {t("ask.new")}
            </button>
          )}
        </header>
        <div class="turns">
          {failure.value !== undefined && <Failure error={failure.value} />}
          {all.length === 0 && (
            <>
              <p class="lead">{t("ask.lead")}</p>
              <Questions />
              <Earlier />
            </>
          )}
          {all.map((turn, index) => (
            <TurnView
              key={index}
              turn={turn}
              isFirst={index === 0}
              open={source.value?.citation.url}
              onOpen={(citation, number) => (source.value = { citation, number })}
              onRetry={() => void ask(turn.question)}
            />
          ))}
          <div ref={end} />
        </div>
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <textarea
            ref={field}
            rows={2}
            maxLength={32_000}
            aria-label={t("ask.question")}
            placeholder={all.length === 0 ? t("ask.placeholder") : t("ask.followUp")}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
              event.preventDefault()
              submit()
            }}
          />
          {isRunning ? (
            <button type="button" onClick={stop} aria-label={t("ask.stop")}>
              <Icon name="stop" />
            </button>
          ) : (
            <button class="primary" aria-label={t("ask.send")}>
              <Icon name="send" />
            </button>
          )}
        </form>
      </div>
      {source.value !== undefined && <SourcePanel source={source.value} onClose={() => (source.value = undefined)} />}
    </div>
  )
}
