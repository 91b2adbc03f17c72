import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Place, Placed } from "../ports/document.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** Which passages are looked at: all of the organization's unless narrowed. Lists are "any of". */
export interface SearchScope {
  /** `library`: documents of no deal. `deals`: documents of deals, and the deals' own records. `records`: those records alone. */
  readonly within?: "library" | "deals" | "records" | undefined
  readonly documentTypes?: ReadonlyArray<"asset" | "intel"> | undefined
  readonly competitorIds?: ReadonlyArray<string> | undefined
  readonly dealIds?: ReadonlyArray<string> | undefined
  /** Of the document's or deal's creation, ISO 8601, inclusive; a day as `to` counts whole, in UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A piece of text that can be cited. `source` says what `id` names. */
export interface Passage {
  readonly source: "document" | "deal"
  readonly id: string
  readonly name: string
  readonly dealId: string | null
  readonly dealName: string | null
  readonly competitorId: string | null
  readonly createdAt: string
  /** The piece's number within its document, from 0: those beside it are its neighbours. */
  readonly n: number
  /** Offsets of `text` in the document's text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly headings: ReadonlyArray<string>
  readonly place: Place
  readonly places: ReadonlyArray<Placed>
  /** Comparable within one result only. */
  readonly score: number
}

/** A word of the question that carries meaning, and how rare it is in the organization's passages. */
export interface QueryTerm {
  /** As written, in lower case. */
  readonly word: string
  /** Inverse document frequency; highest for a word that stands nowhere. */
  readonly idf: number
  /** As it stands in the passages found, their names and headings, in lower case: `prices` was asked for, `pricing` found. */
  readonly forms: ReadonlyArray<string>
}

export interface SearchResult {
  /** Best first. */
  readonly passages: ReadonlyArray<Passage>
  readonly terms: ReadonlyArray<QueryTerm>
}

/** Finds the passages that bear on a question, among those of one organization. */
export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    readonly search: (
      org: string,
      query: { readonly text: string; readonly limit: number; readonly scope?: SearchScope | undefined },
    ) => Effect.Effect<SearchResult, DatabaseUnavailable>
  }
>()("sightline/search/SearchIndex") {}
