import type { Role } from "../../../core/access/permissions.ts"
import type { Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { PROVIDER } from "../common/base.ts"
import { ConfirmButton, Field, Refusal, textsOf } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { manageableRoles, RoleField, RoleOptions } from "./roleField.tsx"

type Member = Output<"members", "list">["data"][number]

/** People who sign in through the provider: added by their address, given another role, removed. */
export const Members = () => {
  const query = useQuery(["members"], (signal) => client.members.list(undefined, { signal }))
  const { act, isBusy, refusal } = useAct()
  const change = (send: () => Promise<unknown>) =>
    act(async () => {
      await send()
      await queries.invalidateQueries({ queryKey: ["members"] })
    })
  const roles = manageableRoles()
  return (
    <>
      <section class="card">
        <h2>{t("members.new")}</h2>
        <p class="soft">{PROVIDER === "" ? t("members.noProvider") : t("members.hint", { provider: PROVIDER })}</p>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            const { email = "", role } = textsOf(form)
            const chosen = roles.find((each) => each === role) ?? "viewer"
            void change(async () => {
              await client.members.put({ email, role: chosen })
              form.reset()
            })
          }}
        >
          <Field label={t("members.email")}>
            <input name="email" type="email" required maxLength={254} placeholder="ada@example.com" />
          </Field>
          <RoleField roles={roles} />
          <button class="primary" disabled={isBusy || roles.length === 0}>
            {t("members.add")}
          </button>
        </form>
        <Refusal text={refusal} />
      </section>
      <section class="card">
        <h2>{t("settings.members")}</h2>
        <Loaded query={query} lines={4}>
          {({ data }) =>
            data.length === 0 ? (
              <Notice title={t("members.none")} />
            ) : (
              <ul class="rows">
                {data.map((member) => (
                  <MemberRow
                    key={member.id}
                    value={member}
                    roles={roles}
                    isBusy={isBusy}
                    onRole={(role) => change(() => client.members.put({ email: member.email ?? "", role }))}
                    onRemove={() => change(() => client.members.remove({ id: member.id }))}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </>
  )
}

const MemberRow = ({
  value: member,
  roles,
  isBusy,
  onRole,
  onRemove,
}: {
  readonly value: Member
  readonly roles: ReadonlyArray<Role>
  readonly isBusy: boolean
  readonly onRole: (role: Role) => void
  readonly onRemove: () => void
}) => {
  const { id, email, name, role, origin, last_sign_in_at: last } = member
  const person = name ?? email ?? id
  const isOurs = roles.includes(role)
  return (
    <li class="row">
      <span class="grow">
        <strong>{person}</strong>
        <span class="soft">
          {[
            ...(name === null || email === null ? [] : [email]),
            last === null ? t("members.invited") : t("members.signedIn", { when: format.ago(last) }),
            ...(origin === "provider" ? [t("members.byRule")] : []),
          ].join(" · ")}
        </span>
      </span>
      {isOurs && origin === "added" ? (
        <select
          aria-label={t("members.roleOf", { name: person })}
          value={role}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const chosen = roles.find((each) => each === currentTarget.value)
            if (chosen !== undefined) onRole(chosen)
          }}
        >
          <RoleOptions roles={roles} />
        </select>
      ) : (
        <span class="tag">{t(`role.${role}`)}</span>
      )}
      {isOurs && (
        <ConfirmButton disabled={isBusy} question={t("members.removeAsk", { name: person })} onConfirm={onRemove}>
          {t("members.remove")}
        </ConfirmButton>
      )}
    </li>
  )
}
