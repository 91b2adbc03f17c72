import { hrefOf } from "./base.ts"
import { may } from "./may.ts"
import { current } from "./session.ts"
import { t } from "./texts.ts"

/** Says how an empty workspace gets its deals: the wizard, to those who may import. */
export const ImportHint = () =>
  may(current().session, "import.write") ? (
    <p>
      {t("deals.importHint")} <a href={hrefOf("/settings/import")}>{t("deals.import")}</a>
    </p>
  ) : (
    <p>{t("deals.importAsk")}</p>
  )
