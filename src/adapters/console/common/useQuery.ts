import { type QueryKey, QueryObserver, type QueryObserverResult } from "@tanstack/query-core"
import { useEffect, useReducer, useState } from "preact/hooks"
import { queries } from "./api.ts"

/** Loads data and renders again when it arrives or changes. Equal keys share one request and one copy. */
export const useQuery = <A>(
  queryKey: QueryKey,
  load: (signal: AbortSignal) => Promise<A>,
  more: { readonly keepPrevious?: boolean; readonly enabled?: boolean; readonly staleTime?: number } = {},
): QueryObserverResult<A, Error> => {
  const options = queries.defaultQueryOptions<A, Error, A, A, QueryKey>({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    enabled: more.enabled ?? true,
    ...(more.staleTime !== undefined && { staleTime: more.staleTime }),
    ...(more.keepPrevious === true && { placeholderData: (previous: any) => previous }),
  })
  const [observer] = useState(() => new QueryObserver<A, Error, A, A, QueryKey>(queries, options))
  const [, update] = useReducer((count: number) => count + 1, 0)
  useEffect(() => observer.subscribe(() => update(undefined)), [observer])
  useEffect(() => observer.setOptions(options))
  return observer.getOptimisticResult(options)
}
