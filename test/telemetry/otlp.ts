import protobuf from "protobufjs"
import type { Span } from "./collector.ts"

/** The read parts of OpenTelemetry's messages: https://github.com/open-telemetry/opentelemetry-proto, version 1. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    repeated KeyValue attributes = 9;
  }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; }
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`)

interface Resource {
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
}
export interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: Resource
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
}
export interface Metrics {
  readonly resourceMetrics: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<{ readonly name: string }> }>
  }>
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** Decodes a message; its ids become hexadecimal, as in OTLP's JSON. */
const decode = (type: string, bytes: Uint8Array): unknown =>
  JSON.parse(
    JSON.stringify(
      root.lookupType(type).toObject(root.lookupType(type).decode(bytes), { longs: String }),
      (key, value) => (key.endsWith("Id") ? hex(Buffer.from(value)) || undefined : value),
    ),
  )

/** Reads the body of a request of OTLP/HTTP, in either encoding. */
const read = (type: "Traces" | "Metrics", bytes: Uint8Array, contentType: string | undefined): unknown =>
  contentType === "application/json" ? JSON.parse(Buffer.from(bytes).toString()) : decode(type, bytes)

export const readTraces = (bytes: Uint8Array, contentType: string | undefined) =>
  read("Traces", bytes, contentType) as Traces
export const readMetrics = (bytes: Uint8Array, contentType: string | undefined) =>
  read("Metrics", bytes, contentType) as Metrics
