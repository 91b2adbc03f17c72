import { hrefOf } from "../common/base.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useBoards } from "./saved.ts"
import { Tabs } from "./tabs.tsx"

/** The reader's boards and those that are shared. */
export const Boards = () => (
  <div class="page">
    <header class="page-head">
      <h1>{t("boards.title")}</h1>
    </header>
    <Tabs at="boards" />
    <section class="card">
      <Loaded query={useBoards()} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title={t("boards.none")}>
              <p>
                <a href={hrefOf("/reports")}>{t("boards.noneHint")}</a>
              </p>
            </Notice>
          ) : (
            <ul class="rows">
              {data.map(({ id, name, shared, reports, updated_at }) => (
                <li key={id}>
                  <a href={hrefOf(`/reports/boards/${encodeURIComponent(id)}`)}>
                    <span class="grow">
                      <strong>{name}</strong>
                      <span class="soft">{t("boards.count", { count: format.count(reports) })}</span>
                    </span>
                    {shared && <span class="tag">{t("views.isShared")}</span>}
                    <span class="soft time">{format.ago(updated_at)}</span>
                    <Icon name="right" />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  </div>
)
