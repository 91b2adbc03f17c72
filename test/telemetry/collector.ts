import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"
import { readMetrics, readTraces } from "./otlp.ts"

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Record<string, unknown> }>
}

/** A collector on this machine that takes OTLP/HTTP. */
export const startCollector = async () => {
  const spans: Array<Span> = []
  const metrics = new Set<string>()
  const services = new Set<string>()
  const headers: Array<string | undefined> = []
  const encodings = new Set<string | undefined>()
  const refused: Array<string> = []
  let texts = ""
  const server = createServer(async (request, response) => {
    const pieces: Array<Uint8Array> = []
    for await (const piece of request) pieces.push(piece as Uint8Array)
    const whole = Buffer.concat(pieces)
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole
    const encoding = request.headers["content-type"]
    encodings.add(encoding)
    headers.push(request.headers["x-tenant"]?.toString())
    // In either encoding, texts are UTF-8.
    texts += bytes.toString()
    if (request.url === "/v1/traces") {
      for (const { resource, scopeSpans } of readTraces(bytes, encoding).resourceSpans) {
        services.add(resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "")
        spans.push(...scopeSpans.flatMap((scope) => scope.spans))
      }
    } else if (request.url === "/v1/metrics") {
      for (const { scopeMetrics } of readMetrics(bytes, encoding).resourceMetrics)
        for (const { name } of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.add(name)
    } else refused.push(`${request.method} ${request.url}`)
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    services,
    headers,
    encodings,
    refused,
    texts: () => texts,
    close: () => (server.closeAllConnections(), server.close()),
  }
}

/** The tree below a span, as names; siblings of one name count once. */
export const treeOf = (spans: ReadonlyArray<Span>, root: Span): ReadonlyArray<string> => {
  const below = (parent: Span): Array<string> =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
      .flatMap((span) => [`${parent.name} > ${span.name}`, ...below(span)])
  return [...new Set(below(root))]
}
