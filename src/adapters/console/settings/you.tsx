import { client, queries } from "../common/api.ts"
import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { language, theme, type Theme } from "../common/settings.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { UsageCard } from "./usage.tsx"

const THEMES: ReadonlyArray<Theme> = ["system", "light", "dark"]

/** The reader's own choices, sessions, and the workspace's limits. */
export const You = () => {
  const { session, workspace } = current()
  return (
    <>
      <div class="grid halves">
        <section class="card">
          <h2>{t("settings.you")}</h2>
          <dl class="facts">
            <div>
              <dt>{t(session.identity === null ? "settings.key" : "settings.person")}</dt>
              <dd>{session.name}</dd>
            </div>
            <div>
              <dt>{t("settings.role")}</dt>
              <dd>{t(`role.${session.role}`)}</dd>
            </div>
            <div>
              <dt>{t("settings.until")}</dt>
              <dd>{format.instant(session.expires_at)}</dd>
            </div>
            <div>
              <dt>{t("settings.workspace")}</dt>
              <dd>{workspace.settings.name}</dd>
            </div>
          </dl>
          <h3>{t("settings.look")}</h3>
          <div class="segments" role="group" aria-label={t("settings.look")}>
            {THEMES.map((name) => (
              <button key={name} type="button" aria-pressed={theme.value === name} onClick={() => (theme.value = name)}>
                {t(`theme.${name}`)}
              </button>
            ))}
          </div>
          <h3>{t("settings.language")}</h3>
          <div class="segments" role="group" aria-label={t("settings.language")}>
            {(["en", "de"] as const).map((name) => (
              <button
                key={name}
                type="button"
                lang={name}
                aria-pressed={language.value === name}
                onClick={() => (language.value = name)}
              >
                {name === "en" ? "English" : "Deutsch"}
              </button>
            ))}
          </div>
        </section>
        <UsageCard />
      </div>
      <Sessions />
    </>
  )
}

/** Live sign-ins, which end here. */
const Sessions = () => {
  const query = useQuery(["sessions"], (signal) => client.sessions.list(undefined, { signal }))
  const end = async (id: string) => {
    await client.sessions.end({ id })
    await queries.invalidateQueries({ queryKey: ["sessions"] })
  }
  return (
    <section class="card">
      <h2>{t("settings.sessions")}</h2>
      <Loaded query={query} lines={3}>
        {({ data }) => (
          <ul class="rows">
            {data.map((session) => (
              <li key={session.id} class="row">
                <span class="grow">
                  <strong>
                    {session.name} {session.current && <span class="tag">{t("settings.thisOne")}</span>}
                  </strong>
                  <span class="soft">
                    {[nameBrowser(session.browser), session.address, format.instant(session.created_at)]
                      .filter((part) => part !== null)
                      .join(" · ")}
                  </span>
                </span>
                {!session.current && (
                  <button type="button" onClick={() => void end(session.id)}>
                    {t("settings.end")}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** The browser and system of a `User-Agent`, or its first characters. */
const nameBrowser = (agent: string | null): string | null => {
  if (agent === null) return null
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(agent)
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(agent)?.[1]
  const name = browser === null ? agent.slice(0, 40) : `${browser[1] === "Edg" ? "Edge" : browser[1]} ${browser[2]}`
  return system === undefined ? name : `${name}, ${system}`
}
