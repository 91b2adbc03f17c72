import { NONE } from "../common/format.ts"
import * as format from "../common/format.ts"
import { t, textOr } from "../common/texts.ts"
import type { Report } from "./run.ts"

type Example = NonNullable<Report["examples"]>[number]

/** The first records that would change something, with their fields before and after. */
export const Examples = ({ examples }: { readonly examples: ReadonlyArray<Example> }) =>
  examples.length === 0 ? null : (
    <details class="examples">
      <summary>{t("import.examples", { count: examples.length })}</summary>
      <div class="wide" tabIndex={0} role="region" aria-label={t("import.examples", { count: examples.length })}>
        <table class="preview small">
          <tbody>
            {examples.map((example) => (
              <tr key={example.line}>
                <th scope="row">
                  {t("import.line", { line: format.count(example.line) })}
                  <span class="soft">{t(`import.result.${example.result}`)}</span>
                </th>
                <td>
                  <dl>
                    {findChanges(example).map(([field, before, after]) => (
                      <div key={field}>
                        <dt class="soft">{textOr(`field.${field}`, field)}</dt>
                        <dd>
                          {before !== undefined && (
                            <>
                              <del>{before}</del> <span aria-label={t("import.becomes")}>→</span>{" "}
                            </>
                          )}
                          {after}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )

/** The fields that differ; all of a record that is new, or would be deleted. */
const findChanges = ({
  before,
  after,
}: Example): ReadonlyArray<readonly [field: string, before: string | undefined, after: string]> => {
  if (after === null) return Object.entries(before ?? {}).map(([field, value]) => [field, writeValue(value), NONE])
  if (before === null) return Object.entries(after).map(([field, value]) => [field, undefined, writeValue(value)])
  return Object.entries(after)
    .map(([field, value]) => [field, writeValue(before[field]), writeValue(value)] as const)
    .filter(([, old, now]) => old !== now)
}

const writeValue = (value: unknown): string =>
  value == null ? NONE : typeof value === "string" ? value : JSON.stringify(value)
