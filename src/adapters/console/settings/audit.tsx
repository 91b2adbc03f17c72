import { useSignal } from "@preact/signals"
import { AUDIT_ACTION_NAMES, type AuditAction } from "../../../core/audit/actions.ts"
import type { Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { Field, Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { importHref } from "../common/links.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"

type Page = Exclude<Output<"audit", "list">, string>
type Entry = Page["data"][number]

/** Who did what, when and from where, newest first. */
export const Audit = () => {
  const { session } = current()
  const since = useSignal("")
  const action = useSignal<AuditAction | "">("")
  const filter = {
    ...(since.value !== "" && { since: since.value }),
    ...(action.value !== "" && { types: [action.value] }),
  }
  const queryKey = ["audit", since.value, action.value]
  const query = useQuery<Page>(queryKey, (signal) => client.audit.list(filter, { signal }) as Promise<Page>)
  const keys = useQuery(["usage"], (signal) => client.access.usage(undefined, { signal }))
  const names = new Map(keys.data?.keys.map(({ id, name }) => [id, name]))
  const { act, isBusy, refusal } = useAct()
  const more = async (cursor: string) => {
    const next = (await client.audit.list({ ...filter, cursor })) as Page
    queries.setQueryData<Page>(queryKey, (before) => before && { ...next, data: [...before.data, ...next.data] })
  }
  return (
    <section class="card">
      <h2>{t("settings.audit")}</h2>
      <div class="form">
        <Field label={t("audit.since")}>
          <input
            type="date"
            value={since.value}
            onChange={({ currentTarget }) => (since.value = currentTarget.value)}
          />
        </Field>
        <Field label={t("audit.action")}>
          <select
            value={action.value}
            onChange={({ currentTarget: { value } }) =>
              (action.value = AUDIT_ACTION_NAMES.find((name) => name === value) ?? "")
            }
          >
            <option value="">{t("audit.all")}</option>
            {AUDIT_ACTION_NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
      <Refusal text={refusal} />
      <Loaded query={query} lines={8}>
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <p class="soft">{t("audit.none")}</p>
          ) : (
            <>
              <ul class="rows">
                {data.map((entry) => (
                  <li key={entry.id} class="row">
                    <span class="grow">
                      <strong>{entry.action}</strong>
                      <span class="soft">
                        {[nameActor(entry, names), entry.target, entry.address]
                          .filter((part) => part !== null)
                          .join(" · ")}
                      </span>
                      {entry.action === "records.imported" && entry.target !== null && may(session, "import.write") && (
                        <a href={importHref(entry.target)}>{t("undo.open")}</a>
                      )}
                      {entry.details !== null && (
                        <details>
                          <summary>{t("audit.details")}</summary>
                          <pre tabIndex={0}>{JSON.stringify(entry.details, null, 2)}</pre>
                        </details>
                      )}
                    </span>
                    <time class="soft" dateTime={entry.at}>
                      {format.instant(entry.at)}
                    </time>
                  </li>
                ))}
              </ul>
              {next_cursor !== null && (
                <button type="button" disabled={isBusy} onClick={() => void act(() => more(next_cursor))}>
                  {t("more")}
                </button>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const nameActor = ({ actor }: Entry, names: ReadonlyMap<string, string>): string =>
  actor === null
    ? t("audit.unknown")
    : "operator" in actor
      ? t("audit.operator")
      : "person" in actor
        ? actor.name
        : (names.get(actor.key_id) ?? actor.key_id)
