import type { Filters } from "../../client/client.ts"
import { client, isConflict } from "../common/api.ts"
import { Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { analyzing, runAll, watchAll } from "../review/runAll.ts"

/** The cost of asking a question of its deals, and the button that asks. */
export const Cost = ({ filters, question }: { readonly filters: Filters; readonly question: string | null }) => {
  const query = useQuery(
    ["estimate", question, filters],
    (signal) => client.analysis.estimate({ filters }, { signal }),
    { staleTime: 0 },
  )
  watchAll()
  // No deal of these has a document yet.
  if (query.isError && isConflict(query.error)) return <p class="whole cost">{query.error.message}</p>
  const isRunning = analyzing.value.state === "running"
  return (
    <div class="whole cost" role="status">
      <Loaded query={query} lines={2}>
        {({ deals, unchanged, method, tokens, cost, spending }) =>
          method === "extracted" ? (
            <p>{t("questions.noModel")}</p>
          ) : (
            <>
              <p>
                {t("questions.estimate", {
                  count: format.count(deals - unchanged),
                  tokens: format.count(tokens.input + tokens.output),
                })}
                {cost !== null && ` (${format.dollars(cost)})`}
                {unchanged > 0 && ` ${t("questions.unchanged", { count: format.count(unchanged) })}`}
                {spending.budget !== null &&
                  ` ${t("questions.left", {
                    count: format.count(Math.max(0, spending.budget - spending.tokens.input - spending.tokens.output)),
                  })}`}
              </p>
              {deals > unchanged && may(current().session, "analysis.run") && (
                <p class="acts">
                  <button type="button" disabled={isRunning} onClick={() => void runAll(filters)}>
                    {t(isRunning ? "findings.running" : "questions.run")}
                  </button>
                  {isRunning && <progress aria-label={t("findings.running")} />}
                </p>
              )}
              {analyzing.value.state === "failed" && <Refusal text={analyzing.value.reason} />}
            </>
          )
        }
      </Loaded>
    </div>
  )
}
