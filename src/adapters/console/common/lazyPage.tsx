import type { ComponentType } from "preact"
import { lazy } from "preact-iso"
import { Notice } from "./state.tsx"
import { t } from "./texts.ts"

/** A page whose script arrives when it is opened. Without this, a script that does not arrive leaves the page before in its place. */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy((): Promise<ComponentType<Props>> => load().catch(() => NotLoaded))

/** A reload, because a browser may keep a failed import, and a newer server has scripts of other names. */
const NotLoaded = () => (
  <div class="page">
    <Notice title={t("state.failed")}>
      <p>{t("state.pageHint")}</p>
      <button type="button" onClick={() => location.reload()}>
        {t("state.retry")}
      </button>
    </Notice>
  </div>
)
