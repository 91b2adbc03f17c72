import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Base64 from "effect/encoding/Base64"
import type { Permission } from "../access/permissions.ts"
import { hash } from "../access/secret.ts"
import { ICON_LINK } from "../http/replies/icon.ts"
import { Html, markup } from "../library/viewer/html.ts"
import { type Destination, formTarget } from "./redirects.ts"
import { PHRASES } from "./scopes.ts"

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f5f6f8;--ink:#1b1f27;--soft:#565e6c;--line:#c9ced8;--accent:#0b5cad;--on-accent:#fff;--alert:#a3261c;--warn:#fff6e0;--warn-line:#b26b00}
@media (prefers-color-scheme:dark){:root{--paper:#191c22;--ground:#101216;--ink:#e6e9ef;--soft:#a3abb9;--line:#434a58;--accent:#85b9f5;--on-accent:#0b1726;--alert:#ff9d94;--warn:#2c2412;--warn-line:#e0a94a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;align-items:start;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:30rem;margin:0 auto;padding:1.5rem 1.25rem 2rem;background:var(--paper)}
@media (min-width:34rem){main{margin:clamp(1rem,8vh,5rem) auto 2rem;border:1px solid var(--line);border-radius:.75rem;padding:2rem}}
h1{margin:0 0 1rem;font-size:1.35rem;line-height:1.3}
p{margin:0 0 1rem}
ul{margin:0 0 1rem;padding-left:1.25rem}
dl{margin:0 0 1.25rem;display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1rem}
dt{color:var(--soft)}dd{margin:0}
@media (max-width:26rem){dl{grid-template-columns:1fr}dd{margin-bottom:.35rem}}
label{display:block;margin-bottom:.35rem;font-weight:600}
input[type=password]{width:100%;padding:.6rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:var(--ground);color:inherit;font:inherit}
fieldset{margin:0 0 1.25rem;padding:0;border:0}
legend{padding:0;margin-bottom:.35rem;font-weight:600}
fieldset label{display:flex;gap:.6rem;align-items:baseline;font-weight:400}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button{flex:1 1 9rem;padding:.65rem 1rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button.main{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.warning{padding:.75rem 1rem;border-left:4px solid var(--warn-line);border-radius:.4rem;background:var(--warn)}
.problem{margin-top:.6rem;color:var(--alert);font-weight:600}
.soft{color:var(--soft);font-size:.9rem}
a{color:var(--accent)}
`

const STYLE_HASH = Effect.runSync(Effect.cached(Effect.map(hash(STYLE), Base64.encode)))

interface PageOptions {
  readonly status?: number
  /** The source of a policy where forms may end besides this server: a browser follows no redirect of a form to another address. */
  readonly forms?: string | undefined
  /** The address that the browser opens at once. */
  readonly next?: string | undefined
  readonly cookie?: string | undefined
}

/** A page without script, in no frame and no cache. */
const page = (title: string, body: Html, { status = 200, forms, next, cookie }: PageOptions = {}) =>
  Effect.map(STYLE_HASH, (digest) =>
    HttpServerResponse.text(
      markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${next !== undefined && markup`<meta http-equiv="refresh" content="0;url=${next}">`}<title>${title} · Sightline</title>${new Html(ICON_LINK)}<style>${new Html(STYLE)}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`.markup,
      {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "no-store",
          "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'self'${forms === undefined ? "" : ` ${forms}`}; frame-ancestors 'none'`,
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          // Not `no-referrer`: browsers would then hide where a form comes from.
          "referrer-policy": "same-origin",
          "x-frame-options": "DENY",
          "x-robots-tag": "noindex, nofollow",
          ...(cookie !== undefined && { "set-cookie": cookie }),
        },
      },
    ),
  )

/** Says why the sign-in ends here. Nothing is granted, and the browser goes nowhere. */
export const problemPage = (status: number, title: string, remedy: string) =>
  page(title, markup`<p>${remedy}</p>`, { status })

/** Opens the address once more from a page of ours, so that the browser sends the cookies that it keeps from other sites. */
export const againPage = (next: string) => page("One moment", markup`<p><a href="${next}">Continue</a></p>`, { next })

/** Asks for an API key. */
export const signInPage = (action: string, sealed: string, problem?: string) =>
  page(
    "Sign in to connect an assistant",
    markup`<p>An application asks to read your workspace. Sign in with an API key of the workspace. The next page says who asks and what it may read, and nothing is granted before you agree.</p>
<form method="post" action="${action}"><input type="hidden" name="request" value="${sealed}">
<label for="key">API key</label><input id="key" type="password" name="key" autocomplete="off" spellcheck="false" required autofocus placeholder="sl_live_…"${problem !== undefined && new Html(' aria-invalid="true" aria-describedby="problem"')}>
${problem !== undefined && markup`<p class="problem" id="problem" role="alert">${problem}</p>`}
<div class="actions"><button class="main">Continue</button></div></form>
<p class="soft actions">The application never sees your key. It can do no more than the key, and it can change nothing.</p>`,
    { status: problem === undefined ? 200 : 401 },
  )

export interface Consent {
  readonly action: string
  readonly sealed: string
  readonly redirectUri: string
  readonly destination: Destination
  readonly client: { readonly name: string; readonly isVouched: boolean; readonly host: string | undefined }
  /** The organizations that the person may choose; the permissions that the application would get in each. */
  readonly choices: ReadonlyArray<{
    readonly keyId: string
    readonly organization: string
    readonly person: string
    readonly permissions: ReadonlyArray<Permission>
  }>
}

/** Says who asks for what, and lets the person decide. */
export const consentPage = ({ action, sealed, redirectUri, destination, client, choices }: Consent) => {
  const [first] = choices
  const permissions = [...new Set(choices.flatMap((choice) => choice.permissions))]
  return page(
    `Connect “${client.name}”?`,
    markup`<p>${client.isVouched ? markup`“${client.name}” asks` : markup`An application that calls itself “${client.name}” asks`} to read your workspace. Agree only if you started this just now.</p>
${warningOf(destination)}
<dl><dt>Returns to</dt><dd><strong>${destination.kind === "app" ? `the app for ${destination.name}: links` : destination.name}</strong></dd>
${client.host !== undefined && markup`<dt>Described at</dt><dd>${client.host}</dd>`}
${choices.length === 1 && first !== undefined && markup`<dt>Organization</dt><dd><strong>${first.organization}</strong></dd><dt>As</dt><dd>${first.person}</dd>`}</dl>
<form method="post" action="${action}"><input type="hidden" name="consent" value="${sealed}">
${choices.length === 1 && first !== undefined ? markup`<input type="hidden" name="as" value="${first.keyId}">` : markup`<fieldset><legend>Organization</legend>${choices.map(({ keyId, organization, person }, at) => markup`<label><input type="radio" name="as" value="${keyId}"${at === 0 && new Html(" checked")}><span><strong>${organization}</strong>, as ${person}</span></label>`)}</fieldset>`}
<p>For 30 days, or until you disconnect it, it may:</p>
<ul>${permissions.map((permission) => markup`<li>${PHRASES[permission]}</li>`)}</ul>
<p>It can change nothing.</p>
<div class="actions"><button name="decision" value="deny">Cancel</button><button class="main" name="decision" value="allow">Connect</button></div></form>`,
    { forms: formTarget(redirectUri) },
  )
}

const warningOf = ({ kind, name }: Destination) => {
  if (kind === "machine")
    return markup`<p class="warning">The reply goes to a program on this machine (${name}), and any program can claim this name. Go on only if you started this in a program that you trust.</p>`
  if (kind === "app")
    return markup`<p class="warning">The reply goes to the app on this machine that opens “${name}:” links. Go on only if you started this in that app.</p>`
  return undefined
}
