import { client } from "../common/api.ts"
import { useQuery } from "../common/useQuery.ts"
import type { Report } from "./names.ts"
import { writeParameters, type ReportQuery } from "./query.ts"

/** Computes a report. The one before is kept until it is there. */
export const useReport = (query: ReportQuery) => {
  const parameters = writeParameters(query)
  return useQuery(
    ["report", query.subject, parameters],
    async (signal) => (await client.reports[query.subject](parameters as never, { signal })) as Report,
    { keepPrevious: true },
  )
}
