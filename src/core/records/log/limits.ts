/** Days after its end in which an import can be undone. */
export const UNDO_DAYS = 7
/** Days that old values are kept: an import may take hours, and so may an undo that begins at the end of its time. */
export const LOG_KEPT_DAYS = UNDO_DAYS + 1
export const IMPORT_KEPT_DAYS = 90

/** The most rows whose old values an import keeps. Beyond it, the import cannot be undone. */
export const MAX_LOGGED_ROWS = 1_000_000

/** Rows that the result of an undo lists. */
export const MAX_LISTED = 1000

/** A running import says so this often. One that is silent for three times as long has died. */
export const BEAT_SECONDS = 60
export const SILENT_SECONDS = 3 * BEAT_SECONDS

/** Why an undo leaves a row, or what it cannot bring back. */
export const KEPT_REASONS = {
  changed_later: "a later change touched it",
  deleted_later: "it was deleted later",
  created_again: "it exists again, with the same id",
  in_use: "something that the import did not make refers to it",
  conflict: "its old values refer to something that is gone, or another row has its CRM id now",
  documents_lost: "it is restored, but the documents that the import deleted with it are not",
} as const
export type KeptReason = keyof typeof KEPT_REASONS
export const KEPT_REASON_NAMES = Object.keys(KEPT_REASONS) as ReadonlyArray<KeptReason>
