import { hrefOf } from "../common/base.ts"
import { t } from "../common/texts.ts"

/** The parts of the reports: the builder and the boards. */
export const Tabs = ({ at }: { readonly at: "report" | "boards" }) => (
  <nav class="tabs" aria-label={t("reports.parts")}>
    <a href={hrefOf("/reports")} aria-current={at === "report" ? "page" : undefined}>
      {t("reports.one")}
    </a>
    <a href={hrefOf("/reports/boards")} aria-current={at === "boards" ? "page" : undefined}>
      {t("boards.title")}
    </a>
  </nav>
)
