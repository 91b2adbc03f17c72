import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { ApiKey, CreatedKey, NewKey } from "../access/ApiKeys.ts"
import type { ResponseEvent } from "../answers/events.ts"
import type { Export } from "../exports/contract.ts"
import type { NewExport } from "../exports/Exports.ts"
import type { Receipt } from "../library/Documents.ts"
import type { ImportFile, ImportReport } from "../workspace/Import.ts"
import type { Plan } from "../access/plans.ts"
import type { UploadedFile } from "../library/Documents.ts"
import type { Target } from "../library/targets.ts"
import type { Organization } from "../workspace/Organizations.ts"
import type { DocumentProgress, Erased, ListedOrganization, OrganizationPage } from "./contract.ts"
import type { Refused } from "./errors.ts"

export type { DocumentProgress, Erased, ListedOrganization, OrganizationPage, Refused }

/**
 * The operator's acts on any organization, for `/operator` and the command line. `layerOperator` uses the database of this
 * process; the command line also has a layer that calls a running server.
 */
export class Operator extends Context.Service<
  Operator,
  {
    /** The URL of the server that acts; undefined if this process acts. */
    readonly server: string | undefined
    readonly list: (after: string | undefined) => Effect.Effect<OrganizationPage, Refused>
    readonly find: (org: string) => Effect.Effect<Organization, Refused>
    readonly create: (organization: {
      readonly name: string
      readonly plan: Plan
    }) => Effect.Effect<Organization, Refused>
    readonly change: (
      org: string,
      patch: { readonly name?: string | undefined; readonly plan?: Plan | undefined },
    ) => Effect.Effect<Organization, Refused>
    /** Deletes the organization with its rows and files. */
    readonly erase: (org: string) => Effect.Effect<Erased, Refused>
    readonly listKeys: (org: string) => Effect.Effect<ReadonlyArray<ApiKey>, Refused>
    readonly createKey: (org: string, key: NewKey) => Effect.Effect<CreatedKey, Refused>
    readonly rotateKey: (org: string, id: string, graceSeconds: number) => Effect.Effect<CreatedKey, Refused>
    readonly revokeKey: (org: string, id: string) => Effect.Effect<ApiKey, Refused>
    readonly importFile: <E>(org: string, file: ImportFile<E>) => Effect.Effect<ImportReport, Refused | E>
    readonly upload: <E>(org: string, target: Target, file: UploadedFile<E>) => Effect.Effect<Receipt, Refused | E>
    readonly document: (org: string, id: string) => Effect.Effect<DocumentProgress, Refused>
    readonly ask: (
      org: string,
      question: string,
    ) => Effect.Effect<Stream.Stream<ResponseEvent, Refused>, Refused, Scope>
    readonly startExport: (org: string, request: NewExport) => Effect.Effect<string, Refused>
    readonly findExport: (org: string, id: string) => Effect.Effect<Export, Refused>
    readonly exportFile: (org: string, id: string) => Effect.Effect<Stream.Stream<Uint8Array, Refused>, Refused>
  }
>()("sightline/operator/Operator") {}
