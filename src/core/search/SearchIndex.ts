import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Place, Placed, TableRange } from "../ports/document.ts"
import type { NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** Limits a search; without fields it covers all passages of the organization. Lists mean "any of". */
export interface SearchScope {
  /** `library`: documents without a deal. `deals`: documents of deals, and deal records. `records`: deal records only. */
  readonly within?: "library" | "deals" | "records" | undefined
  readonly documentTypes?: ReadonlyArray<"asset" | "intel"> | undefined
  readonly competitorIds?: ReadonlyArray<string> | undefined
  readonly dealIds?: ReadonlyArray<string> | undefined
  /** When the document or deal was created: instants, or days in the workspace's time zone. Both are inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A citable piece of text. `source` says what `id` identifies. */
export interface Passage {
  readonly source: "document" | "deal"
  readonly id: string
  readonly name: string
  readonly dealId: string | null
  readonly dealName: string | null
  readonly competitorId: string | null
  readonly createdAt: string
  /** The number of the passage within its document, from 0. */
  readonly n: number
  /** Offsets of `text` in the text of the document, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly headings: ReadonlyArray<string>
  readonly place: Place
  readonly places: ReadonlyArray<Placed>
  /** The tables whose rows it contains; empty in a deal record. */
  readonly tables: ReadonlyArray<TableRange>
  /** Comparable within one result only. */
  readonly score: number
}

/** A meaningful word of the question, and its rarity in the passages of the organization. */
export interface QueryTerm {
  /** As written, in lower case. */
  readonly word: string
  /** Inverse document frequency; highest for a word that no passage has. */
  readonly idf: number
  /** Its forms in the found passages, their names and headings, in lower case: `pricing` for the word `prices`. */
  readonly forms: ReadonlyArray<string>
}

export interface SearchQuery {
  readonly text: string
  /** The most passages to return. */
  readonly limit: number
  /** By default, everything that the organization has. */
  readonly scope?: SearchScope | undefined
}

export interface SearchResult {
  /** Best first. */
  readonly passages: ReadonlyArray<Passage>
  readonly terms: ReadonlyArray<QueryTerm>
}

/** Finds the passages of one organization that are relevant to a question. */
export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /** Embeds nothing without an `embedder`: then words alone decide. */
    readonly search: (org: string, query: SearchQuery) => Effect.Effect<SearchResult, NotFound | DatabaseUnavailable>
  }
>()("sightline/search/SearchIndex") {}
