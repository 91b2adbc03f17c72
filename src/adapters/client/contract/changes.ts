// `npm run client` writes this file from the contract.

export interface ChangesListInput {
  /** A cursor from an earlier reply. By default, the feed starts from the beginning; `now` returns only future changes. */
  readonly since?: string | undefined
  /** `deal`, `document`, `association`, `export`, separated by commas or repeated. By default, all that the key can read. */
  readonly types?: ReadonlyArray<string> | undefined
  /** 100 by default; for JSON only. */
  readonly page_size?: number | undefined
}

export interface Change {
  readonly type: "association" | "deal" | "document" | "export"
  readonly id: string
  /** A creation, at its position, or the last change after it, at its position. */
  readonly action: "created" | "updated" | "deleted"
  /** For a document or an export: its current status. */
  readonly status?: string
  /** For an association: its deal. */
  readonly deal_id?: string
  /** For an association: its feature. */
  readonly feature_id?: string
  readonly changed_at: string
  /** The position of this change: read on from here. */
  readonly cursor: string
}

export interface ChangePage {
  readonly data: ReadonlyArray<Change>
  /** Send it as `since` to read on. It is present even if there is nothing more. */
  readonly next_cursor: string
  readonly has_more: boolean
}

export interface ChangesEndpoints {
  /** List changes. */
  readonly list: { readonly input: ChangesListInput; readonly output: ChangePage }
}
