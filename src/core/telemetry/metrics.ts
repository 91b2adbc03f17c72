import { counter, gauge, histogram } from "./family.ts"

export const requests = counter(
  "sightline_requests_total",
  "Replies by route and status class.",
  "method",
  "route",
  "status",
)
export const requestSeconds = histogram(
  "sightline_request_seconds",
  "Seconds until a reply began, by route.",
  "method",
  "route",
)
export const requestsInFlight = gauge("sightline_requests_in_flight", "Requests in flight.")
export const limitRefusals = counter(
  "sightline_limit_refusals_total",
  "Requests over a limit, by its scope: key, organization, monthly, export or concurrency.",
  "scope",
)
export const keyRefusals = counter(
  "sightline_key_refusals_total",
  "Requests with a key or token that is malformed, unknown or expired, or without one.",
  "reason",
)

export const jobsEnded = counter(
  "sightline_jobs_ended_total",
  "Attempts at jobs by outcome: completed, failed, retried, returned or lost.",
  "kind",
  "outcome",
)
export const jobSeconds = histogram("sightline_job_seconds", "Seconds that attempts at jobs ran.", "kind")
export const jobs = gauge("sightline_jobs", "Queued and running jobs of the whole service.", "kind", "state")
export const jobAge = gauge(
  "sightline_job_queue_age_seconds",
  "Seconds that the oldest due job of a kind has waited, in the whole service.",
  "kind",
)

export const documents = gauge("sightline_documents", "Documents of the whole service by status.", "status")
export const ingestSeconds = histogram(
  "sightline_ingest_seconds",
  "Seconds of a stage of reading a document: fetch, read, transcribe, recognize, chunk or store.",
  "stage",
  "format",
)
export const embedSeconds = histogram("sightline_embed_seconds", "Seconds to embed a batch of passages.")

export const exportRows = counter("sightline_export_rows_total", "Rows in completed exports.")

export const deliveries = counter(
  "sightline_webhook_attempts_total",
  "Attempts at webhook deliveries by outcome: delivered, unwanted, failed or unsigned.",
  "outcome",
)
export const deliveriesQueued = gauge(
  "sightline_webhook_deliveries_queued",
  "Webhook deliveries of the whole service that wait for an attempt.",
)

export const answerSeconds = histogram(
  "sightline_answer_seconds",
  "Seconds until an answer ended, by kind of answerer and outcome: completed, failed or interrupted.",
  "kind",
  "outcome",
)
export const modelTokens = counter(
  "sightline_model_tokens_total",
  "Tokens that the language model read (input) and wrote (output).",
  "direction",
)
export const modelTurns = counter(
  "sightline_model_turns_total",
  "Requests to the language model by outcome, after retries.",
  "outcome",
)

export const databaseSeconds = histogram(
  "sightline_database_seconds",
  "Seconds of a statement or transaction, with its wait for a connection.",
  "operation",
)
export const databaseErrors = counter(
  "sightline_database_errors_total",
  "Statements and transactions that failed, by reason: unreachable, no_space, too_slow or conflict.",
  "reason",
)
export const databaseConnections = gauge(
  "sightline_database_connections",
  "Connections of this process: in use, waited for, and the size of the pool.",
  "state",
)
export const admissions = counter(
  "sightline_database_admitted_total",
  "Statements and transactions that got a connection, by class: short, heavy or background.",
  "class",
)
export const admissionsRefused = counter(
  "sightline_database_refused_total",
  "Statements and transactions that were refused because their line was full or too slow, by class.",
  "class",
)
export const admissionsRunning = gauge(
  "sightline_database_running",
  "Statements and transactions of this process that run, by class.",
  "class",
)
export const admissionsWaiting = gauge(
  "sightline_database_waiting",
  "Statements and transactions of this process that wait for a connection, by class.",
  "class",
)
export const databaseUp = gauge("sightline_database_up", "1 if the database answered when the metrics were read.")
export const databaseReadOnly = gauge("sightline_database_read_only", "1 while the disk of the database is full.")
export const diskFree = gauge("sightline_disk_free_bytes", "Free bytes on the disk of the embedded database.")

export const buildInfo = gauge("sightline_build_info", "Always 1; the labels say what runs.", "version", "runtime")
export const processMemory = gauge("sightline_process_resident_bytes", "Resident memory of this process.")
export const loopLag = gauge(
  "sightline_event_loop_lag_seconds",
  "The 99th percentile of the event loop's delay since the metrics were last read.",
)
