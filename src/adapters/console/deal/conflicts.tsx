import * as format from "../common/format.ts"
import { t } from "../common/texts.ts"
import type { Analysis } from "./analysis.ts"
import { Sources } from "./quotes.tsx"

/** Lists the values of the deal that its documents contradict. */
export const Conflicts = ({ analysis: { conflicts, findings } }: { readonly analysis: Analysis }) =>
  conflicts.length === 0 ? null : (
    <section class="conflicts" aria-label={t("conflicts.title")}>
      <h3>{t("conflicts.title")}</h3>
      <ul class="rows">
        {conflicts.map(({ field, target, recorded, proposed, findings: ids }) => (
          <li key={`${field} ${target.id}`} class="row">
            <span class="grow">
              <strong>{target.name}</strong>
              <span class="soft whole">
                {proposed === undefined
                  ? t("conflicts.opposite", { recorded: writeValue(recorded) })
                  : t("conflicts.other", { recorded: writeValue(recorded), proposed: writeValue(proposed) })}
              </span>
            </span>
            <Sources findings={findings.filter(({ id }) => ids.includes(id))} />
          </li>
        ))}
      </ul>
    </section>
  )

const writeValue = (value: string | number) =>
  value === "positive" || value === "negative"
    ? t(`effect.${value}`)
    : typeof value === "number"
      ? format.decimal(value)
      : value
