import type { ComponentType } from "preact"
import { useRoute } from "preact-iso"
import type { Permission } from "../../../core/access/permissions.ts"
import { signOut } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { lazyPage } from "../common/lazyPage.tsx"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Notice } from "../common/state.tsx"
import { t, type TextName } from "../common/texts.ts"
import { Audit } from "./audit.tsx"
import { Keys } from "./keys.tsx"
import { Members } from "./members.tsx"
import { Questions } from "./questions.tsx"
import { Webhooks } from "./webhooks.tsx"
import { Workspace } from "./workspace.tsx"
import { You } from "./you.tsx"

/** Few people import, and its parser is large. */
const ImportWizard = lazyPage(() => import("../import/wizard.tsx").then(({ ImportWizard }) => ImportWizard))

interface Tab {
  readonly path: string
  readonly name: TextName
  readonly page: ComponentType
  readonly permission?: Permission
}

const TABS: ReadonlyArray<Tab> = [
  { path: "", name: "settings.you", page: You },
  { path: "workspace", name: "settings.workspace", page: Workspace, permission: "workspace.manage" },
  { path: "questions", name: "settings.questions", page: Questions, permission: "workspace.manage" },
  { path: "import", name: "settings.import", page: ImportWizard, permission: "import.write" },
  { path: "members", name: "settings.members", page: Members, permission: "keys.manage" },
  { path: "keys", name: "settings.keys", page: Keys, permission: "keys.manage" },
  { path: "webhooks", name: "settings.webhooks", page: Webhooks, permission: "webhooks.manage" },
  { path: "audit", name: "settings.audit", page: Audit, permission: "audit.read" },
]

/** The settings, a part at a time: those that the reader may change. */
export const Settings = () => {
  const path = useRoute().params["part"] ?? ""
  const { session } = current()
  const part = TABS.find((each) => each.path === path)
  const isAllowed = ({ permission }: Tab) => permission === undefined || may(session, permission)
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.settings")}</h1>
        <button type="button" onClick={() => void signOut()}>
          {t("settings.signOut")}
        </button>
      </header>
      <nav class="tabs" aria-label={t("settings.parts")}>
        {TABS.filter(isAllowed).map((each) => (
          <a
            key={each.path}
            href={hrefOf(each.path === "" ? "/settings" : `/settings/${each.path}`)}
            aria-current={each === part ? "page" : undefined}
          >
            {t(each.name)}
          </a>
        ))}
      </nav>
      {part === undefined ? (
        <Notice title={t("state.missing")} />
      ) : isAllowed(part) ? (
        <part.page />
      ) : (
        <Notice title={t("state.forbidden")} />
      )}
    </div>
  )
}
