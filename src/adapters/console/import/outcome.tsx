import * as format from "../common/format.ts"
import { t, textOr } from "../common/texts.ts"
import type { Report } from "./run.ts"

const COUNTS = ["created", "updated", "unchanged", "deleted", "failed"] as const
const MAX_ERRORS = 100
const MAX_LINES = 5

type Problem = Report["errors"][number]

/** Errors that say the same, but for the values that they quote, with all their lines. */
const groupErrors = (errors: ReadonlyArray<Problem>) => {
  const groups = new Map<string, Omit<Problem, "line"> & { readonly lines: Array<number> }>()
  for (const { line, ...problem } of errors) {
    const said = problem.value === undefined ? problem.reason.replaceAll(/'[^']*'/g, "''") : problem.reason
    const key = JSON.stringify([problem.field, said, problem.value])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ...problem, lines: [line] })
    else group.lines.push(line)
  }
  return [...groups.values()]
}

const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const nameLines = (lines: ReadonlyArray<number>, count: number) =>
  `${t(lines.length === 1 ? "import.line" : "import.lines", { line: lines.join(", ") })}${count > lines.length ? " …" : ""}`

/** How many records were taken, and why others were not. */
export const Outcome = ({ report, title }: { readonly report: Report; readonly title: string }) => {
  const groups = groupErrors(report.errors)
  const shown = groups.slice(0, MAX_ERRORS)
  // The report lists the first errors only.
  const more = report.failed - new Set(shown.flatMap(({ lines }) => lines)).size
  return (
    <div role="status">
      <p>
        <strong>{title}</strong>{" "}
        {COUNTS.filter((name) => report[name] > 0)
          .map((name) => t(`import.${name}`, { count: format.count(report[name]) }))
          .join(", ")}
      </p>
      {report.warnings.length > 0 && (
        <ul class="small">
          {report.warnings.map(({ code, field, message, count, lines, examples }) => (
            <li key={`${code} ${field}`}>
              {field !== undefined && <strong>{textOr(`field.${field}`, field)}: </strong>}
              {textOr(`notice.${code}`, field === undefined ? capitalize(message) : message)}{" "}
              <span class="soft">
                {t("import.times", { count: format.count(count) })}
                {lines.length > 0 && `, ${nameLines(lines, count)}`}
                {examples.length > 0 && `: ${examples.map((each) => `“${each}”`).join(", ")}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {report.errors.length > 0 && (
        <ul class="errors small">
          {shown.map(({ lines, field, reason, value }) => (
            <li key={`${lines[0]} ${field}`}>
              <strong>{nameLines(lines.slice(0, MAX_LINES), lines.length)}</strong> {textOr(`field.${field}`, field)}
              {value === undefined ? " " : ` “${value}” `}
              {reason}
              {lines.length > 1 && (
                <span class="soft"> {t("import.times", { count: format.count(lines.length) })}</span>
              )}
            </li>
          ))}
          {more > 0 && <li class="soft">{t("import.moreErrors", { count: format.count(more) })}</li>}
        </ul>
      )}
    </div>
  )
}
