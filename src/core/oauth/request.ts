import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { shortText } from "../http/bodies/shortText.ts"

/** The parameters of a client's request, as they came: single values, of limited length. */
export type Asked = Readonly<Record<(typeof PARAMETERS)[number], string | undefined>>

const PARAMETERS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const

const MAX_LENGTH = 2000

/** Undefined if a parameter is repeated or too long: who reads which value of two is anybody's guess. */
export const readAsked = (given: URLSearchParams): Asked | undefined => {
  const entries = PARAMETERS.map((name) => [name, given.getAll(name)] as const)
  if (entries.some(([, values]) => values.length > 1 || (values[0]?.length ?? 0) > MAX_LENGTH)) return undefined
  return Object.fromEntries(entries.map(([name, [value]]) => [name, value])) as unknown as Asked
}

export const queryOf = ({ url }: HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "")

const MAX_FORM_CHARACTERS = 16_384

/** The fields of a form; undefined if it is too long or late, or repeats a field. */
export const readForm = (request: HttpServerRequest) =>
  Effect.map(shortText(request, MAX_FORM_CHARACTERS), (text) => (text === undefined ? undefined : parseForm(text)))

const parseForm = (text: string): Readonly<Record<string, string>> | undefined => {
  const entries = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(entries)
  return Object.keys(fields).length === entries.length ? fields : undefined
}

/** Whether one of our own pages sent a form. Browsers say so; a page of another site cannot say otherwise. */
export const isOwnForm = ({ headers }: HttpServerRequest, origin: string): boolean => {
  const { "sec-fetch-site": site, origin: from } = headers
  return site === undefined ? from === undefined || from === origin : site === "same-origin"
}

/** Whether the browser left out cookies that it sends to our own pages alone, because another site's page led here. */
export const comesFromElsewhere = ({ headers }: HttpServerRequest): boolean =>
  headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site"
