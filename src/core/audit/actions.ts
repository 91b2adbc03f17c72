/** Every act that the audit log records, and what its `target` names. An act that is missing here does not compile. */
export const AUDIT_ACTIONS = {
  "key.created": "the key",
  "key.rotated": "the key",
  "key.revoked": "the key",
  "sign_in.refused": "the first 12 characters of the key in the request",
  "session.started": "the session",
  "session.ended": "the session",
  "grant.created": "the grant; `details` names the application",
  "grant.used": "the grant, with its first request of a day",
  "grant.revoked": "the grant; `details` says why",
  "member.added": "the member; `details` has the address and the role",
  "member.changed": "the member; `details` has the role",
  "member.joined": "the member, at the first sign-in; `details` names the provider",
  "member.removed": "the member; `details` says why",
  "webhook.created": "the webhook",
  "webhook.updated": "the webhook",
  "webhook.deleted": "the webhook",
  "webhook.secret_rotated": "the webhook",
  "export.created": "the export",
  "export.downloaded": "the export",
  "export.deleted": "the export",
  "intelligence.exported": "nothing",
  "import.planned": "the plan",
  "records.import_started": "the import, written with its first batch",
  "records.imported": "the import; `details` counts the records",
  "import.undone": "the import, written when its undo is asked for",
  "deal.updated": "the deal",
  "deal.deleted": "the deal",
  "association.created": "the association, by an analysis or the acceptance of a finding",
  "association.updated": "the association, by an analysis or the verification of its deal",
  "association.deleted": "the association",
  "analysis.started": "the deal, or nothing for several; `details` counts them",
  "analysis.verified": "the deal",
  "finding.accepted": "the finding; `details` names the deal",
  "finding.rejected": "the finding; `details` names the deal",
  "document.downloaded": "the document",
  "document.deleted": "the document",
  "link.viewed":
    "the figure, or nothing for the rest when a process counts more than 10,000; `details` counts the views of `/r/`, at most a minute's. The actor is who asked the question, as for downloads by a link",
  "workspace.updated": "nothing; `details` names the settings",
  "catalogue.updated": "the stage, competitor, reason, feature, segment, metric or answer",
  "catalogue.deleted": "the stage, competitor, reason, feature, segment, metric or answer",
  "organization.created": "the organization",
  "organization.updated": "the organization",
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as ReadonlyArray<AuditAction>

/** Entries are deleted after this many days; the database refuses to delete younger ones. */
export const AUDIT_KEPT_DAYS = 400
