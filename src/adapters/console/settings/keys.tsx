import { useSignal } from "@preact/signals"
import type { Role } from "../../../core/access/permissions.ts"
import type { Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { ConfirmButton, Field, Refusal, Secret, textsOf } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { manageableRoles, RoleField } from "./roleField.tsx"

type Key = Output<"access", "listKeys">["data"][number]

const reload = () => queries.invalidateQueries({ queryKey: ["keys"] })

/** API keys: made, rotated and revoked. A secret appears once. */
export const Keys = () => {
  const query = useQuery(["keys"], (signal) => client.access.listKeys(undefined, { signal }))
  const made = useSignal<{ readonly name: string; readonly key: string } | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const show = async (created: { readonly name: string; readonly key: string }) => {
    made.value = created
    await reload()
  }
  return (
    <>
      <section class="card">
        <h2>{t("keys.new")}</h2>
        <NewKey isBusy={isBusy} onCreate={(input) => act(async () => show(await client.access.createKey(input)))} />
        <Refusal text={refusal} />
        {made.value !== undefined && (
          <Secret name={made.value.name} value={made.value.key} onDone={() => (made.value = undefined)} />
        )}
      </section>
      <section class="card">
        <h2>{t("settings.keys")}</h2>
        <Loaded query={query} lines={4}>
          {({ data }) => (
            <ul class="rows">
              {data.map((key) => (
                <KeyRow
                  key={key.id}
                  value={key}
                  isBusy={isBusy}
                  onRotate={() => act(async () => show(await client.access.rotateKey({ id: key.id })))}
                  onRevoke={() =>
                    act(async () => {
                      await client.access.revokeKey({ id: key.id })
                      await reload()
                    })
                  }
                />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </>
  )
}

interface NewKeyInput {
  readonly name: string
  readonly role: Role
  readonly expires_at?: string
}

const NewKey = ({
  isBusy,
  onCreate,
}: {
  readonly isBusy: boolean
  readonly onCreate: (input: NewKeyInput) => Promise<void>
}) => {
  const roles = manageableRoles()
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const { name = "", role, expires } = textsOf(form)
        const chosen = roles.find((each) => each === role) ?? "viewer"
        const expiry = expires === undefined ? {} : { expires_at: new Date(`${expires}T23:59:59`).toISOString() }
        void onCreate({ name, role: chosen, ...expiry }).then(() => form.reset())
      }}
    >
      <Field label={t("name")}>
        <input name="name" required maxLength={200} placeholder={t("keys.purpose")} />
      </Field>
      <RoleField roles={roles} />
      <Field label={t("keys.expires")}>
        <input type="date" name="expires" min={new Date().toISOString().slice(0, 10)} />
      </Field>
      <button class="primary" disabled={isBusy || roles.length === 0}>
        {t("create")}
      </button>
    </form>
  )
}

const findState = ({ revoked_at, expires_at }: Key) =>
  revoked_at !== null ? "revoked" : expires_at !== null && Date.parse(expires_at) < Date.now() ? "expired" : undefined

const KeyRow = ({
  value: key,
  isBusy,
  onRotate,
  onRevoke,
}: {
  readonly value: Key
  readonly isBusy: boolean
  readonly onRotate: () => void
  readonly onRevoke: () => void
}) => {
  const state = findState(key)
  return (
    <li class="row">
      <span class="grow">
        <strong>
          {key.name} <span class="tag">{t(`role.${key.role}`)}</span>
          {state !== undefined && <span class="tag">{t(`keys.${state}`)}</span>}
        </strong>
        <span class="soft">
          {[
            `${key.display}…`,
            key.last_used_at === null ? t("keys.unused") : t("keys.used", { when: format.ago(key.last_used_at) }),
            ...(key.expires_at === null ? [] : [t("keys.until", { when: format.instant(key.expires_at) })]),
          ].join(" · ")}
        </span>
      </span>
      {state === undefined && (
        <>
          <ConfirmButton disabled={isBusy} question={t("keys.rotateAsk", { name: key.name })} onConfirm={onRotate}>
            {t("rotate")}
          </ConfirmButton>
          <ConfirmButton disabled={isBusy} question={t("keys.revokeAsk", { name: key.name })} onConfirm={onRevoke}>
            {t("keys.revoke")}
          </ConfirmButton>
        </>
      )}
    </li>
  )
}
