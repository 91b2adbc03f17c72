import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Record<string, unknown> }>
}

/** A collector on this machine that takes OTLP/HTTP in JSON. */
export const startCollector = async () => {
  const spans: Array<Span> = []
  const metrics = new Set<string>()
  const services = new Set<string>()
  const headers: Array<string | undefined> = []
  const refused: Array<string> = []
  let texts = ""
  const server = createServer(async (request, response) => {
    const pieces: Array<Uint8Array> = []
    for await (const piece of request) pieces.push(piece as Uint8Array)
    const whole = Buffer.concat(pieces)
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole).toString()
    headers.push(request.headers["x-tenant"]?.toString())
    texts += text
    const body = JSON.parse(text) as any
    if (request.url === "/v1/traces") {
      for (const { resource, scopeSpans } of body.resourceSpans) {
        services.add(resource.attributes.find(({ key }: any) => key === "service.name").value.stringValue)
        spans.push(...scopeSpans.flatMap((scope: any) => scope.spans))
      }
    } else if (request.url === "/v1/metrics") {
      for (const { scopeMetrics } of body.resourceMetrics)
        for (const { name } of scopeMetrics.flatMap((scope: any) => scope.metrics)) metrics.add(name)
    } else refused.push(`${request.method} ${request.url}`)
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    services,
    headers,
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
