// `npm run client` writes this file from the contract.

export interface AuditListInput {
  /** Only entries from this instant onwards, or from this day in the workspace's time zone. */
  readonly since?: string | undefined
  /** Actions, separated by commas or repeated. By default, all. */
  readonly types?:
    | ReadonlyArray<
        | "key.created"
        | "key.rotated"
        | "key.revoked"
        | "sign_in.refused"
        | "session.started"
        | "session.ended"
        | "grant.created"
        | "grant.used"
        | "grant.revoked"
        | "member.added"
        | "member.changed"
        | "member.joined"
        | "member.removed"
        | "webhook.created"
        | "webhook.updated"
        | "webhook.deleted"
        | "webhook.secret_rotated"
        | "export.created"
        | "export.downloaded"
        | "export.deleted"
        | "intelligence.exported"
        | "import.planned"
        | "records.import_started"
        | "records.imported"
        | "import.undone"
        | "deal.updated"
        | "deal.deleted"
        | "association.created"
        | "association.updated"
        | "association.deleted"
        | "analysis.started"
        | "analysis.verified"
        | "finding.accepted"
        | "finding.rejected"
        | "document.downloaded"
        | "document.deleted"
        | "link.viewed"
        | "workspace.updated"
        | "catalogue.updated"
        | "catalogue.deleted"
        | "organization.created"
        | "organization.updated"
      >
    | undefined
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
}

export interface AuditEntry {
  readonly id: string
  readonly at: string
  /** The key, the operator of the service, or the person, as the application that embeds the service names it, that acted. Null: unknown, for example for a refused key. */
  readonly actor:
    | { readonly key_id: string }
    | { readonly operator: true }
    | { readonly person: string; readonly name: string }
    | null
  readonly action:
    | "key.created"
    | "key.rotated"
    | "key.revoked"
    | "sign_in.refused"
    | "session.started"
    | "session.ended"
    | "grant.created"
    | "grant.used"
    | "grant.revoked"
    | "member.added"
    | "member.changed"
    | "member.joined"
    | "member.removed"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "export.created"
    | "export.downloaded"
    | "export.deleted"
    | "intelligence.exported"
    | "import.planned"
    | "records.import_started"
    | "records.imported"
    | "import.undone"
    | "deal.updated"
    | "deal.deleted"
    | "association.created"
    | "association.updated"
    | "association.deleted"
    | "analysis.started"
    | "analysis.verified"
    | "finding.accepted"
    | "finding.rejected"
    | "document.downloaded"
    | "document.deleted"
    | "link.viewed"
    | "workspace.updated"
    | "catalogue.updated"
    | "catalogue.deleted"
    | "organization.created"
    | "organization.updated"
  /** The thing that was acted on. `key.created`: the key; `key.rotated`: the key; `key.revoked`: the key; `sign_in.refused`: the first 12 characters of the key in the request; `session.started`: the session; `session.ended`: the session; `grant.created`: the grant; `details` names the application; `grant.used`: the grant, with its first request of a day; `grant.revoked`: the grant; `details` says why; `member.added`: the member; `details` has the address and the role; `member.changed`: the member; `details` has the role; `member.joined`: the member, at the first sign-in; `details` names the provider; `member.removed`: the member; `details` says why; `webhook.created`: the webhook; `webhook.updated`: the webhook; `webhook.deleted`: the webhook; `webhook.secret_rotated`: the webhook; `export.created`: the export; `export.downloaded`: the export; `export.deleted`: the export; `intelligence.exported`: nothing; `import.planned`: the plan; `records.import_started`: the import, written with its first batch; `records.imported`: the import; `details` counts the records; `import.undone`: the import, written when its undo is asked for; `deal.updated`: the deal; `deal.deleted`: the deal; `association.created`: the association, by an analysis or the acceptance of a finding; `association.updated`: the association, by an analysis or the verification of its deal; `association.deleted`: the association; `analysis.started`: the deal, or nothing for several; `details` counts them; `analysis.verified`: the deal; `finding.accepted`: the finding; `details` names the deal; `finding.rejected`: the finding; `details` names the deal; `document.downloaded`: the document; `document.deleted`: the document; `link.viewed`: the figure, or nothing for the rest when a process counts more than 10,000; `details` counts the views of `/r/`, at most a minute's. The actor is who asked the question, as for downloads by a link; `workspace.updated`: nothing; `details` names the settings; `catalogue.updated`: the stage, competitor, reason, feature, segment, metric or answer; `catalogue.deleted`: the stage, competitor, reason, feature, segment, metric or answer; `organization.created`: the organization; `organization.updated`: the organization */
  readonly target: string | null
  /** More facts about the action. */
  readonly details: { readonly [key: string]: unknown } | null
  /** The `X-Request-Id` of the request. Null: the action was not a request. */
  readonly request_id: string | null
  /** The client's IP address, if the server knows it. */
  readonly address: string | null
}

export interface AuditPage {
  readonly data: ReadonlyArray<AuditEntry>
  /** Send it as `cursor` for the next, older page. Null: this is the last page. */
  readonly next_cursor: string | null
  readonly has_more: boolean
}

export interface AuditEndpoints {
  /** List the audit log. */
  readonly list: { readonly input: AuditListInput; readonly output: AuditPage }
}
