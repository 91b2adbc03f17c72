import * as Effect from "effect/Effect"
import { ANALYSIS_JOB, JobQueue } from "../jobs/JobQueue.ts"
import { Database } from "../storage/Database.ts"

/**
 * Queues an analysis of the deal whose document was read, if the workspace wants it and none waits already. Runs in the transaction that
 * stores the text.
 */
export const analyzeAutomatically = Effect.fnUntraced(function* (org: string, document: string) {
  const { sql } = yield* Database
  const jobs = yield* JobQueue
  const [wanted] = yield* sql<{ deal: string }>`
    select d.deal_id as deal from documents d join organizations o on o.id = d.org_id
    where d.org_id = ${org} and d.id = ${document} and d.deal_id is not null and o.analysis = 'automatic'
      and not exists (select from jobs j where j.org_id = ${org} and j.subject = d.deal_id and j.kind = ${ANALYSIS_JOB}
        and j.state = 'queued')`
  if (wanted === undefined) return
  yield* jobs.enqueue(org, { kind: ANALYSIS_JOB, subject: wanted.deal, prefix: "run" })
  yield* sql.afterCommit(jobs.wake(ANALYSIS_JOB, org))
})
