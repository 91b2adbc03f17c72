import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { hrefOf } from "./common/base.ts"
import { Icon, type IconName, Mark } from "./common/icons.tsx"
import { current } from "./common/session.ts"
import { t, type TextName } from "./common/texts.ts"

const ENTRIES = [
  ["/", "home", "nav.home"],
  ["/deals", "deals", "nav.deals"],
  ["/reports", "reports", "nav.reports"],
  ["/ask", "ask", "nav.ask"],
  ["/review", "review", "nav.review"],
  ["/competitors", "competitors", "nav.competitors"],
  ["/features", "features", "nav.features"],
  ["/library", "library", "nav.library"],
  ["/settings", "settings", "nav.settings"],
] as const satisfies ReadonlyArray<readonly [string, IconName, TextName]>

/**
 * Scrolls to the current page, since on a phone the pages are a row that scrolls. `scrollIntoView` would also make it the place from which
 * the Tab key goes on, past the link to the page.
 */
const showCurrent = () => {
  const link = document.querySelector(".nav [aria-current]")
  for (const row of document.querySelectorAll(".nav, .nav ul")) {
    const [at, around] = [link?.getBoundingClientRect(), row.getBoundingClientRect()]
    if (at !== undefined) row.scrollLeft += Math.max(at.right - around.right, 0) - Math.max(around.left - at.left, 0)
  }
}

/** The frame of every page: navigation, and the page beside or above it. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const { path } = useLocation()
  const { session, workspace } = current()
  const isAt = (entry: string) => path === hrefOf(entry) || (entry !== "/" && path.startsWith(`${hrefOf(entry)}/`))
  const entry = ENTRIES.find(([each]) => isAt(each))
  useEffect(() => {
    showCurrent()
    document.title = `${entry === undefined ? "" : `${t(entry[2])} · `}${workspace.settings.name}`
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {t("nav.skip")}
      </a>
      <nav class="nav" aria-label={t("nav.label")}>
        <div class="brand">
          <Mark />
          <span>{workspace.settings.name}</span>
        </div>
        <ul>
          {ENTRIES.map(([to, icon, name]) => (
            <li key={to}>
              <a href={hrefOf(to)} aria-current={isAt(to) ? "page" : undefined} aria-label={t(name)} title={t(name)}>
                <Icon name={icon} />
                <span>{t(name)}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="who" title={`${session.name} · ${session.role}`}>
          <strong>{session.name}</strong>
          <span>{t(`role.${session.role}`)}</span>
        </p>
      </nav>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
