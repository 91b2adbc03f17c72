import { hrefOf } from "./base.ts"

/** The list of the deals that a filter object of `GET /deals` selects. */
export const dealsHref = (filters: object): string => {
  const text = JSON.stringify(filters)
  return hrefOf(text === "{}" ? "/deals" : `/deals?f=${encodeURIComponent(text)}`)
}

export const dealHref = (id: string): string => hrefOf(`/deals/${encodeURIComponent(id)}`)

export const competitorHref = (id: string): string => hrefOf(`/competitors/${encodeURIComponent(id)}`)

export const featureHref = (id: string): string => hrefOf(`/features/${encodeURIComponent(id)}`)

/** The page of an import: its counts and its undo. */
export const importHref = (id: string): string => hrefOf(`/settings/import?import=${encodeURIComponent(id)}`)

/** A deal's page that begins with its findings. */
export const reviewHref = (id: string): string => `${dealHref(id)}?review`

export const askHref = (question: string): string => hrefOf(`/ask?q=${encodeURIComponent(question)}`)

export const conversationHref = (id: string): string => hrefOf(`/ask?c=${encodeURIComponent(id)}`)

/** A signed link as a path of this server, whatever address it gives itself. */
export const ownPath = (url: string): string => {
  const { pathname, search, hash } = new URL(url, location.href)
  return `${pathname}${search}${hash}`
}
