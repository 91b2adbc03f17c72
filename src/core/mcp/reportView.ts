import * as Effect from "effect/Effect"
import { drawReport } from "../answers/figures/drawReport.ts"
import { type ReportRows, writeTitle } from "../answers/figures/figure.ts"
import { hashForPolicy, STYLE } from "../library/viewer/assets.ts"
import { type Html, markup } from "../library/viewer/html.ts"

/**
 * The view in which assistants show a report (MCP Apps, SEP-1865): a page without any address in it, in a frame of the assistant's. It gets
 * the drawn report from the result of the tool, beside what the model reads.
 */
export const REPORT_VIEW = "ui://sightline/report"
const MIME_TYPE = "text/html;profile=mcp-app"

/** The entry of `_meta` that has the drawn report. */
const DRAWN = "sightline/report"

/** The `_meta` of the tools whose results the view shows. */
export const SHOWS_REPORT = { ui: { resourceUri: REPORT_VIEW } }

/** The `_meta` of a result that has these rows, and the link to the page of the report. */
export const drawForView = ({ figure, report, currency }: ReportRows, answer: object) => {
  const { rows, totals } = answer as ReportAnswer
  const drawn = drawReport(figure.query, report.data.slice(0, rows?.length), currency)
  const url = totals?.url
  const body: Html = markup`<h1>${writeTitle(figure)}</h1>${drawn}${url !== undefined && markup`<p class="actions"><a class="button" href="${url}">Open in Sightline</a></p>`}`
  return drawn === false ? undefined : { [DRAWN]: body.markup }
}

/** The part of the tools' results that the view needs. */
interface ReportAnswer {
  readonly rows?: ReadonlyArray<unknown>
  readonly totals?: { readonly url?: string }
}

/** The palettes of the viewer, for an assistant that says which it shows. */
const palettes = () => {
  const [light = "", dark = ""] = [...STYLE.matchAll(/:root(\{[^}]*\})/g)].map(([, variables = ""]) => variables)
  return `:root[data-theme=light]${light}\n:root[data-theme=dark]${dark}\n:root[data-theme=light]{color-scheme:light}\n:root[data-theme=dark]{color-scheme:dark}`
}

const VIEW_STYLE = `${STYLE}${palettes()}
body{background:transparent}
article{border:0;margin:0;padding:.75rem}
h1{font-size:1.05rem;margin:0 0 .75rem}
.actions{margin:.75rem 0 0}
`

/** Speaks with the assistant: https://github.com/modelcontextprotocol/ext-apps, revision 2026-01-26. */
const VIEW_SCRIPT = `
(() => {
  const root = document.documentElement
  const report = document.querySelector("article")
  const waiting = new Map()
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
  const request = (method, params, then) => {
    const id = waiting.size + 1
    waiting.set(id, then)
    send({ id, method, params })
  }
  const resize = () =>
    send({ method: "ui/notifications/size-changed", params: { width: root.scrollWidth, height: Math.ceil(report.getBoundingClientRect().height) } })
  const adapt = ({ theme }) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme
  }
  const show = ({ content = [], _meta = {} }) => {
    const drawn = _meta["${DRAWN}"]
    if (typeof drawn === "string") report.innerHTML = drawn
    else report.textContent = content.map(({ text = "" }) => text).join("\\n")
    resize()
  }
  const heard = {
    "ui/notifications/tool-result": show,
    "ui/notifications/host-context-changed": adapt,
    "ui/resource-teardown": () => {},
    ping: () => {},
  }
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "object" || data === null || data.jsonrpc !== "2.0") return
    if (data.method === undefined) return waiting.get(data.id)?.(data.result ?? {})
    const hear = Object.hasOwn(heard, data.method) ? heard[data.method] : undefined
    hear?.(data.params ?? {})
    if (data.id === undefined) return
    send(hear ? { id: data.id, result: {} } : { id: data.id, error: { code: -32601, message: "this view has no such method" } })
  })
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]")
    if (!link) return
    event.preventDefault()
    request("ui/open-link", { url: link.href }, () => {})
  })
  new ResizeObserver(resize).observe(report)
  const about = { appInfo: { name: "sightline-report", version: "1.0.0" }, appCapabilities: {}, protocolVersion: "2026-01-26" }
  request("ui/initialize", about, ({ hostContext = {} }) => {
    adapt(hostContext)
    send({ method: "ui/notifications/initialized" })
  })
})()
`

const makePage = Effect.runSync(
  Effect.cached(
    Effect.map(Effect.all([hashForPolicy(VIEW_STYLE), hashForPolicy(VIEW_SCRIPT)]), ([style, script]) =>
      [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'">`,
        `<title>Report · Sightline</title><style>${VIEW_STYLE}</style></head>`,
        `<body><article class="report"></article><script>${VIEW_SCRIPT}</script></body></html>\n`,
      ].join("\n"),
    ),
  ),
)

/** The view as a resource. */
export const readReportView = Effect.map(makePage, (text) => ({
  contents: [{ uri: REPORT_VIEW, mimeType: MIME_TYPE, text, _meta: { ui: { prefersBorder: true } } }],
}))
