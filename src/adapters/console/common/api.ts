import { QueryClient } from "@tanstack/query-core"
import { CONSOLE_HEADER, CONSOLE_SESSION, OPENID_CHOICE } from "../../../core/console/pages.ts"
import { sendByXhr } from "../../client/Body.ts"
import { createClient, SightlineError } from "../../client/client.ts"
import { BASE, hrefOf } from "./base.ts"
import { endSession } from "./session.ts"

const FRESH_MS = 30_000

/** Sends the session's cookie: script never has a key. */
const sendBy =
  (transport: (url: string, init: RequestInit) => Promise<Response>) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set(CONSOLE_HEADER, "1")
    const reply = await transport(url, { ...init, headers })
    if (reply.status === 401 && url.includes("/api/v1/")) endSession()
    return reply
  }

const send = sendBy(fetch)

const OPTIONS = { baseUrl: `${location.origin}${BASE}`, maxRetries: 1, maxRetryDelayMs: 3_000 } as const

export const client = createClient({ ...OPTIONS, fetch: send })

/** A client that reports how much of a file it has sent, from 0 to 1, which `fetch` does not. */
export const clientWithProgress = (report: (part: number) => void) =>
  createClient({
    ...OPTIONS,
    fetch: sendBy((url, init) =>
      init.body instanceof Blob
        ? sendByXhr(url, init, init.body, (sent, total) => report(total > 0 ? sent / total : 0))
        : fetch(url, init),
    ),
  })

/** The cache of replies, so that a page shows at once what it showed before. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: true } },
})

/** Reads a reply as text, in a form that the client does not ask for. */
export const loadText = async (path: string, accept: string): Promise<string> => {
  const reply = await send(path, { headers: { accept } })
  if (reply.ok) return reply.text()
  const { error } = (await reply.json()) as { readonly error: { readonly message: string } }
  throw new Error(error.message)
}

/** Signs in with a key or with the token of a one-time link; returns the server's reason if it refuses. */
export const signIn = (given: { readonly key: string } | { readonly link: string }): Promise<string | undefined> =>
  startSession(CONSOLE_SESSION, given)

const startSession = async (path: string, body: object): Promise<string | undefined> => {
  const reply = await send(`${BASE}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  if (reply.ok) return undefined
  const { error } = (await reply.json()) as { readonly error: { readonly message: string } }
  return error.message
}

export interface Organization {
  readonly id: string
  readonly name: string
}

/** The organizations that the person whom the provider signed in may enter. */
export const loadOrganizations = async (): Promise<ReadonlyArray<Organization>> => {
  const reply = await send(`${BASE}${OPENID_CHOICE}`, {})
  if (!reply.ok) return []
  return ((await reply.json()) as { readonly organizations: ReadonlyArray<Organization> }).organizations
}

/** Enters one of them; returns the server's reason if it refuses. */
export const enterOrganization = (organization: string): Promise<string | undefined> =>
  startSession(OPENID_CHOICE, { organization })

export const signOut = async (): Promise<void> => {
  await send(`${BASE}${CONSOLE_SESSION}`, { method: "DELETE" })
  // A fresh page has nothing of this person.
  location.replace(hrefOf("/"))
}

export const isForbidden = (error: unknown): boolean => error instanceof SightlineError && error.status === 403
export const isMissing = (error: unknown): boolean => error instanceof SightlineError && error.status === 404
export const isConflict = (error: unknown): boolean => error instanceof SightlineError && error.status === 409
export const isOffline = (error: unknown): boolean =>
  error instanceof SightlineError && (error.code === "network_error" || error.code === "timeout")
