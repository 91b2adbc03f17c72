import { covers, ROLE_NAMES, type Role } from "../../../core/access/permissions.ts"
import { Field } from "../common/controls.tsx"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"

/** The roles that the reader may give and take. */
export const manageableRoles = (): ReadonlyArray<Role> => {
  const { session } = current()
  return ROLE_NAMES.filter((role) => covers(session, { role, permissions: null }))
}

/** The choices of a `select`. */
export const RoleOptions = ({ roles }: { readonly roles: ReadonlyArray<Role> }) => (
  <>
    {roles.map((role) => (
      <option key={role} value={role}>
        {t(`role.${role}`)}
      </option>
    ))}
  </>
)

/** The role in a form, as `role`. */
export const RoleField = ({ roles }: { readonly roles: ReadonlyArray<Role> }) => (
  <Field label={t("settings.role")}>
    <select name="role">
      <RoleOptions roles={roles} />
    </select>
  </Field>
)
