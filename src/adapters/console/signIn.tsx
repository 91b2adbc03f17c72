import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { client, signIn } from "./common/api.ts"
import { hrefOf } from "./common/base.ts"
import { Mark } from "./common/icons.tsx"
import { isUsed } from "./common/session.ts"
import { language } from "./common/settings.ts"
import { t } from "./common/texts.ts"

/** The page of a figure that offered to sign in. No other address is accepted. */
const figureIn = (search: string): string | undefined =>
  /^r\/[\w-]{40,160}$/.exec(new URLSearchParams(search).get("to") ?? "")?.[0]

/** Takes a key, which goes to the server and is not kept, or the one-time link in the address. */
export const SignIn = ({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) => {
  const { path, route } = useLocation()
  const link = path === hrefOf("/sign-in") ? location.hash.slice(1) : ""
  const figure = path === hrefOf("/sign-in") ? figureIn(location.search) : undefined
  const [reason, setReason] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(link !== "")

  const send = async (given: { readonly key: string } | { readonly link: string }) => {
    setBusy(true)
    setReason(undefined)
    try {
      const refused = await signIn(given)
      if (refused === undefined) {
        if (figure !== undefined) return location.assign(hrefOf(`/${figure}`))
        // The next person must not see what the one before asked and loaded.
        if (isUsed()) return location.reload()
        if (path === hrefOf("/sign-in")) route(hrefOf("/"), true)
        await onSignedIn()
      } else setReason(refused)
    } catch {
      setReason(t("state.offlineHint"))
    }
    setBusy(false)
  }

  // A link from another site, such as a mail, arrives without the cookie of a session that there is.
  useEffect(() => {
    if (figure === undefined) return
    client.sessions.list().then(
      () => location.assign(hrefOf(`/${figure}`)),
      () => undefined,
    )
  }, [])

  useEffect(() => {
    if (link === "") return
    // The token must not stay in the history.
    history.replaceState(null, "", location.pathname)
    void send({ link })
  }, [])

  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.elements.namedItem("key") as HTMLInputElement
          const key = field.value.trim()
          if (key !== "") void send({ key }).then(() => (field.value = ""))
        }}
      >
        <Mark />
        <h1>{t("signIn.title")}</h1>
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
        <p id="reason" class="refusal" role="alert">
          {reason}
        </p>
        <button class="primary" disabled={isBusy}>
          {isBusy ? t("signIn.busy") : t("signIn.do")}
        </button>
        <p class="soft small">{t("signIn.link")}</p>
      </form>
      <button class="quiet" type="button" onClick={() => (language.value = language.value === "en" ? "de" : "en")}>
        {language.value === "en" ? "Deutsch" : "English"}
      </button>
    </main>
  )
}
