import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Yaml from "effect/encoding/Yaml"
import { DECLARED } from "../../src/core/telemetry/family.ts"
import "../../src/core/telemetry/metrics.ts"
import { needs } from "../support/needs.ts"

const textOf = (file: string) => readFileSync(file, "utf8")
const ALERTS = "docs/deploy/alerts.yaml"
const DASHBOARD = "docs/deploy/grafana.json"

/** The metrics in a PromQL expression, with the labels that it selects or groups by. */
const usesOf = (expression: string) => {
  const grouped = [...expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */))
  return [...expression.matchAll(/\b(sightline_\w+)(?:\{([^}]*)\})?/g)].map(([, name, selector = ""]) => ({
    name: name!,
    labels: [...[...selector.matchAll(/(\w+) *[=!]/g)].map(([, label]) => label!), ...grouped],
  }))
}

/** Labels that Prometheus adds. */
const ADDED = ["instance", "job", "le"]

const unknown = (expressions: ReadonlyArray<string>) =>
  expressions.flatMap(usesOf).flatMap(({ name, labels }) => {
    const metric = DECLARED.get(name) ?? DECLARED.get(name.replace(/_(bucket|sum|count)$/, ""))
    if (metric === undefined || (DECLARED.has(name) && metric.type === "histogram")) return [name]
    return labels.filter((label) => ![...metric.labels, ...ADDED].includes(label)).map((label) => `${name}{${label}}`)
  })

const dashboard = () => {
  const { panels } = JSON.parse(textOf(DASHBOARD)) as any
  return panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr as string)) as ReadonlyArray<string>
}

const alerts = () => {
  const { groups } = Yaml.parse(textOf(ALERTS)) as any
  return groups.flatMap(({ rules }: any) => rules) as ReadonlyArray<{
    alert: string
    expr: string
    annotations: object
  }>
}

describe("the metrics' pages", () => {
  it("docs/observability.md lists every metric with its type, labels and description", () => {
    const rows = [...DECLARED].map(
      ([name, { type, labels, description }]) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${description} |`,
    )
    const table = ["| metric | type | labels | meaning |", "|---|---|---|---|", ...rows].join("\n")
    assert.include(textOf("docs/observability.md"), table)
  })

  it("the dashboard and the alerts use only metrics and labels that exist", () => {
    assert.deepStrictEqual(unknown(["rate(sightline_nothing[5m])", 'sightline_jobs{route="x"}']), [
      "sightline_nothing",
      "sightline_jobs{route}",
    ])
    assert.isAbove(dashboard().length, 20)
    assert.deepStrictEqual(unknown(dashboard()), [])
    assert.isAbove(alerts().length, 8)
    assert.deepStrictEqual(unknown(alerts().map(({ expr }) => expr)), [])
    const annotated = alerts().map(({ annotations }) => JSON.stringify(annotations))
    assert.deepStrictEqual(unknown(annotated), [])
  })

  it("the dashboard shows every metric", () => {
    const shown = new Set(
      dashboard()
        .flatMap(usesOf)
        .map(({ name }) => name.replace(/_(bucket|sum|count)$/, "")),
    )
    assert.deepStrictEqual(
      [...DECLARED.keys()].filter((name) => !shown.has(name)),
      [],
    )
  })

  const promtool = spawnSync("promtool", ["--version"]).status === 0
  it("promtool accepts the alerts", needs("promtool", promtool), () => {
    const { status, stderr } = spawnSync("promtool", ["check", "rules", ALERTS])
    assert.strictEqual(status, 0, stderr.toString())
  })
})
