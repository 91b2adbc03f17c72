import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BadRequest, Conflict, NotFound } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Entry, EntryPatch, OVERVIEW } from "./catalogue/entries.ts"
import type { WorkspaceSettings, WorkspaceSettingsPatch } from "./catalogue/settings.ts"

export type Overview = { readonly [K in keyof typeof OVERVIEW]: (typeof OVERVIEW)[K]["Type"] } & {
  readonly settings: WorkspaceSettings
}

export interface EntryPage {
  readonly data: ReadonlyArray<Entry>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** What a workspace is made of: its settings, and the stages, competitors, segments … that deals refer to. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    /** The settings, and the first entries of each kind. */
    readonly overview: (org: string) => Effect.Effect<Overview, DatabaseUnavailable>
    readonly page: (
      org: string,
      kind: string,
      query: { readonly searchQuery?: string | undefined; readonly cursor?: string | undefined },
    ) => Effect.Effect<EntryPage, NotFound | BadRequest | DatabaseUnavailable>
    /** Creates or changes an entry. It is written as an import writes it. */
    readonly put: (
      org: string,
      kind: string,
      id: string,
      patch: EntryPatch,
    ) => Effect.Effect<
      { readonly entry: Entry; readonly created: boolean },
      NotFound | BadRequest | Conflict | DatabaseUnavailable
    >
    /** Refused while anything refers to it. */
    readonly remove: (
      org: string,
      kind: string,
      id: string,
    ) => Effect.Effect<void, NotFound | Conflict | DatabaseUnavailable>
    readonly change: (
      org: string,
      patch: WorkspaceSettingsPatch,
    ) => Effect.Effect<WorkspaceSettings, DatabaseUnavailable>
  }
>()("sightline/workspace/Catalogue") {}
