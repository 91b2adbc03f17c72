import type {
  Assistant,
  AssistantList,
  Erased,
  ListedOrganization,
  NewAssistant,
  NewOrganization,
  OperatorAuditEntry,
  OperatorAuditPage,
  OperatorAuditQuery,
  Organization,
  OrganizationPage,
  OrganizationPatch,
} from "./contract/operator.ts"
import { createClient } from "./client.ts"
import type { Client } from "./methods.ts"
import type { CallOptions, ClientOptions } from "./options.ts"
import { type List, makeList } from "./paging.ts"
import { encodeSegment } from "./requests.ts"
import { readJson, Transport } from "./Transport.ts"

export type * from "./contract/operator.ts"
export type { List } from "./paging.ts"

/** The organizations of a server, and the API of each. */
export interface Operator {
  readonly organizations: {
    readonly list: List<{ readonly cursor?: string | undefined }, OrganizationPage, ListedOrganization>
    readonly create: (organization: NewOrganization, options?: CallOptions) => Promise<Organization>
    readonly find: (id: string, options?: CallOptions) => Promise<Organization>
    readonly change: (id: string, patch: OrganizationPatch, options?: CallOptions) => Promise<Organization>
    /** Deletes an organization with its rows and files. It cannot be undone. */
    readonly erase: (id: string, options?: CallOptions) => Promise<Erased>
  }
  /** Who erased organizations, wrong operator keys and refused sign-ins to the console; the newest first. */
  readonly audit: List<OperatorAuditQuery, OperatorAuditPage, OperatorAuditEntry>
  /** The applications that may connect to `/mcp` by signing in and were registered by hand. */
  readonly assistants: {
    readonly list: (options?: CallOptions) => Promise<AssistantList>
    readonly add: (assistant: NewAssistant, options?: CallOptions) => Promise<Assistant>
    /** Grants that it has stay until people disconnect it. */
    readonly remove: (id: string, options?: CallOptions) => Promise<void>
  }
  /** A client of one organization, which acts as the operator: with every permission, without limits, and named so in the audit log. */
  readonly of: (organization: string) => Client
}

/** Erasing a large organization takes minutes, and the server is silent meanwhile. */
const ERASE_TIMEOUT_MS = 60 * 60_000

/** Makes a client of a server's `/operator`. `key` is the operator key of the server. */
export const createOperator = (options: ClientOptions): Operator => {
  const transport = new Transport(options)
  const call = async <A>(method: string, path: string, json?: object, options?: CallOptions) =>
    (await transport.run({ ...options, method, path: `/operator${path}`, json }, readJson)) as A
  const one = (id: string) => `/organizations/${encodeSegment("organization", id)}`
  const queryOf = (query: object) =>
    `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`
  return {
    organizations: {
      list: makeList<{ readonly cursor?: string | undefined }, OrganizationPage, ListedOrganization>(
        async ({ cursor } = {}, options) => {
          const page = await call<OrganizationPage>("GET", `/organizations${queryOf({ cursor })}`, undefined, options)
          return { page, next: page.next_cursor === null ? undefined : { cursor: page.next_cursor } }
        },
        ({ data }) => data,
      ),
      // `/operator` keeps no replies: a repeated request would create a second organization.
      create: (organization, options) =>
        call("POST", "/organizations", organization, { ...options, idempotencyKey: false }),
      find: (id, options) => call("GET", one(id), undefined, options),
      change: (id, patch, options) => call("PATCH", one(id), patch, options),
      erase: (id, options) => call("DELETE", one(id), undefined, { timeoutMs: ERASE_TIMEOUT_MS, ...options }),
    },
    audit: makeList<OperatorAuditQuery, OperatorAuditPage, OperatorAuditEntry>(
      async (query = {}, options) => {
        const page = await call<OperatorAuditPage>("GET", `/audit${queryOf(query)}`, undefined, options)
        return { page, next: page.next_cursor === null ? undefined : { cursor: page.next_cursor } }
      },
      ({ data }) => data,
    ),
    assistants: {
      list: (options) => call("GET", "/clients", undefined, options),
      add: (assistant, options) => call("POST", "/clients", assistant, { ...options, idempotencyKey: false }),
      remove: (id, options) => call("DELETE", `/clients/${encodeSegment("client", id)}`, undefined, options),
    },
    of: (organization) => createClient({ ...options, baseUrl: `${transport.base}/operator${one(organization)}` }),
  }
}
