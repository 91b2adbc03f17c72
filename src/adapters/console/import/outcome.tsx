import * as format from "../common/format.ts"
import { t, textOr } from "../common/texts.ts"
import type { Report } from "./run.ts"

const COUNTS = ["created", "updated", "unchanged", "deleted", "failed"] as const
const MAX_ERRORS = 100

const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const linesOf = (lines: ReadonlyArray<number>, count: number) =>
  `${t(lines.length === 1 ? "import.line" : "import.lines", { line: lines.join(", ") })}${count > lines.length ? " …" : ""}`

/** How many records were taken, and why others were not. */
export const Outcome = ({ report, title }: { readonly report: Report; readonly title: string }) => (
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
              {lines.length > 0 && `, ${linesOf(lines, count)}`}
              {examples.length > 0 && `: ${examples.map((each) => `“${each}”`).join(", ")}`}
            </span>
          </li>
        ))}
      </ul>
    )}
    {report.errors.length > 0 && (
      <ul class="errors small">
        {report.errors.slice(0, MAX_ERRORS).map(({ line, field, reason, value }) => (
          <li key={`${line} ${field}`}>
            <strong>{t("import.line", { line: format.count(line) })}</strong> {textOr(`field.${field}`, field)}
            {value === undefined ? " " : ` “${value}” `}
            {reason}
          </li>
        ))}
        {report.errors.length > MAX_ERRORS && (
          <li class="soft">{t("import.moreErrors", { count: format.count(report.errors.length - MAX_ERRORS) })}</li>
        )}
      </ul>
    )}
  </div>
)
