import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { OPENID } from "../../core/console/pages.ts"
import { client, enterOrganization, loadOrganizations, type Organization, signIn } from "./common/api.ts"
import { hrefOf, PROVIDER } from "./common/base.ts"
import { Mark } from "./common/icons.tsx"
import { isUsed } from "./common/session.ts"
import { language } from "./common/settings.ts"
import { t } from "./common/texts.ts"

/** The pages that offer to sign in: of a cited figure, and of an application that asks for consent. No other address is accepted. */
const DESTINATION = /^(?:r\/[\w-]{40,160}|oauth\/authorize\?request=[\w-]{1,8000})$/

const REFUSALS = ["no_email", "domain", "not_a_member", "expired", "cancelled", "failed"] as const

/** A page of the console, on which a session ended: a path, and never the name of another host. */
const OWN_PAGE = /^\/(?![/\\])/

/** Keeps where to go next while the browser is at the provider: a destination, or a page of the console. */
const KEPT = "sightline.destination"

const readAddress = (isOwnPage: boolean) => {
  const query = new URLSearchParams(isOwnPage ? location.search : "")
  const isBack = query.has("openid")
  const refusal = REFUSALS.find((reason) => reason === query.get("refused"))
  const kept = (isBack || refusal !== undefined ? sessionStorage.getItem(KEPT) : undefined) ?? ""
  const here = isOwnPage ? hrefOf("/") : location.pathname + location.search
  return {
    link: isOwnPage ? location.hash.slice(1) : "",
    isBack,
    destination: [kept, query.get("to") ?? ""].find((to) => DESTINATION.test(to)),
    page: OWN_PAGE.test(kept) ? kept : here,
    refusal,
  }
}

/** Takes a key, which goes to the server and is not kept, the one-time link in the address, or a person whom the provider signed in. */
export const SignIn = ({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) => {
  const { path, route } = useLocation()
  const isOwnPage = path === hrefOf("/sign-in")
  const [{ link, isBack, destination, page, refusal }] = useState(() => readAddress(isOwnPage))
  const [reason, setReason] = useState(() =>
    refusal ? t(`openid.${refusal}`) : isUsed() ? t("signIn.ended") : undefined,
  )
  const [isBusy, setBusy] = useState(link !== "" || isBack)
  const [organizations, setOrganizations] = useState<ReadonlyArray<Organization>>([])

  const attempt = async (send: () => Promise<string | undefined>) => {
    setBusy(true)
    setReason(undefined)
    try {
      const refused = await send()
      if (refused === undefined) {
        sessionStorage.removeItem(KEPT)
        if (destination !== undefined) return location.assign(hrefOf(`/${destination}`))
        // The next person must not see what the one before asked and loaded.
        if (isUsed()) return location.reload()
        if (isOwnPage) route(page, true)
        await onSignedIn()
      } else setReason(refused)
    } catch {
      setReason(t("state.offlineHint"))
    }
    setBusy(false)
  }

  const enter = ({ id }: Organization) => attempt(() => enterOrganization(id))

  const choose = async () => {
    const found = await loadOrganizations().catch(() => [])
    if (found.length === 1) return enter(found[0]!)
    setOrganizations(found)
    if (found.length === 0) setReason(t("openid.expired"))
    setBusy(false)
  }

  const goToProvider = () => {
    sessionStorage.setItem(KEPT, destination ?? page)
    location.assign(hrefOf(OPENID))
  }

  // A link from another site, such as a mail, arrives without the cookie of a session that there is.
  useEffect(() => {
    if (destination === undefined || isBack || refusal !== undefined) return
    client.sessions.list().then(
      () => location.assign(hrefOf(`/${destination}`)),
      () => undefined,
    )
  }, [])

  useEffect(() => {
    // A token must not stay in the history, and neither must a state that has passed.
    if (link !== "" || isBack || refusal !== undefined) history.replaceState(null, "", location.pathname)
    if (link !== "") void attempt(() => signIn({ link }))
    if (isBack) void choose()
  }, [])

  return (
    <main class="sign-in">
      <div class="card">
        <Mark />
        <h1>{t(organizations.length > 0 ? "openid.which" : "signIn.title")}</h1>
        {organizations.length > 0 ? (
          organizations.map((organization) => (
            <button key={organization.id} type="button" disabled={isBusy} onClick={() => void enter(organization)}>
              {organization.name}
            </button>
          ))
        ) : (
          <>
            {PROVIDER !== "" && (
              <button type="button" class="primary" disabled={isBusy} onClick={goToProvider}>
                {isBusy ? t("signIn.busy") : t("openid.do", { provider: PROVIDER })}
              </button>
            )}
            {PROVIDER === "" ? (
              <KeyForm isBusy={isBusy} onKey={(key) => attempt(() => signIn({ key }))} />
            ) : (
              <details>
                <summary>{t("openid.orKey")}</summary>
                <KeyForm isBusy={isBusy} onKey={(key) => attempt(() => signIn({ key }))} />
              </details>
            )}
          </>
        )}
        <p id="reason" class="refusal" role="alert">
          {reason}
        </p>
      </div>
      <button class="quiet" type="button" onClick={() => (language.value = language.value === "en" ? "de" : "en")}>
        {language.value === "en" ? "Deutsch" : "English"}
      </button>
    </main>
  )
}

const KeyForm = ({ isBusy, onKey }: { readonly isBusy: boolean; readonly onKey: (key: string) => Promise<void> }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      const field = event.currentTarget.elements.namedItem("key") as HTMLInputElement
      const key = field.value.trim()
      if (key !== "") void onKey(key).then(() => (field.value = ""))
    }}
  >
    <p class="soft">{t("signIn.hint")}</p>
    <label>
      {t("signIn.key")}
      <input
        name="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="sl_live_…"
        aria-describedby="reason"
        disabled={isBusy}
        required
      />
    </label>
    <button class="primary" disabled={isBusy}>
      {isBusy ? t("signIn.busy") : t("signIn.do")}
    </button>
    <p class="soft small">{t("signIn.link")}</p>
  </form>
)
