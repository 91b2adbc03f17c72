import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BadRequest, Conflict, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Duplicate, Entry, EntryPatch, OVERVIEW } from "./entries.ts"
import type { WorkspaceSettings, WorkspaceSettingsPatch } from "./settings.ts"

export type Overview = { readonly [K in keyof typeof OVERVIEW]: (typeof OVERVIEW)[K]["Type"] } & {
  readonly settings: WorkspaceSettings
  readonly duplicates: ReadonlyArray<Duplicate>
}

export interface EntryPage {
  readonly data: ReadonlyArray<Entry>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface EntryQuery {
  /** A part of the name. */
  readonly searchQuery?: string | undefined
  /** `next_cursor` of the page before; undefined: the first page. */
  readonly cursor?: string | undefined
}

/** An entry as it now is. */
export interface PutEntry {
  readonly entry: Entry
  /** False: it existed, and was changed if the patch says so. */
  readonly created: boolean
}

/** The settings of a workspace, and the stages, competitors, segments and other names that deals refer to. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    /** The settings, and the first entries of each kind. */
    readonly overview: (org: string) => Effect.Effect<Overview, NotFound | DatabaseUnavailable>
    /** The entries of one kind, such as `competitors`, by name. */
    readonly page: (
      org: string,
      kind: string,
      query: EntryQuery,
    ) => Effect.Effect<EntryPage, NotFound | BadRequest | DatabaseUnavailable>
    /** Creates or changes an entry, by the rules of an import. */
    readonly put: (
      org: string,
      kind: string,
      id: string,
      patch: EntryPatch,
    ) => Effect.Effect<PutEntry, NotFound | BadRequest | Conflict | DatabaseUnavailable>
    /** Refused while a deal, document or segment refers to the entry. */
    readonly remove: (
      org: string,
      kind: string,
      id: string,
    ) => Effect.Effect<void, NotFound | Conflict | DatabaseUnavailable>
    /** Changes the settings; those that the patch omits stay unchanged. */
    readonly change: (
      org: string,
      patch: WorkspaceSettingsPatch,
    ) => Effect.Effect<WorkspaceSettings, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/catalogue/Catalogue") {}
