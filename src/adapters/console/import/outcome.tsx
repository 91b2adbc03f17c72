import * as format from "../common/format.ts"
import { t } from "../common/texts.ts"
import type { Report } from "./run.ts"

const COUNTS = ["created", "updated", "unchanged", "deleted", "failed"] as const
const MAX_ERRORS = 100

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
        {report.warnings.map(({ code, field, message, count, lines }) => (
          <li key={`${code} ${field}`}>
            {field !== undefined && <code>{field}</code>} {message}{" "}
            <span class="soft">
              {t("import.times", { count: format.count(count) })}
              {lines.length > 0 && `, ${t("import.line", { line: lines.join(", ") })}`}
            </span>
          </li>
        ))}
      </ul>
    )}
    {report.errors.length > 0 && (
      <ul class="errors small">
        {report.errors.slice(0, MAX_ERRORS).map(({ line, field, reason, value }) => (
          <li key={`${line} ${field}`}>
            <strong>{t("import.line", { line: format.count(line) })}</strong> <code>{field}</code>
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
