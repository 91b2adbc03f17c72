import type { QueryObserverResult } from "@tanstack/query-core"
import type { ComponentChildren } from "preact"
import { isForbidden, isMissing, isOffline } from "./api.ts"
import { t } from "./texts.ts"

/** Says why a page or a part of it has nothing to show, and what to do. */
export const Notice = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="notice" role="status">
    <strong>{title}</strong>
    {children}
  </div>
)

export const Failure = ({ error, retry }: { readonly error: Error; readonly retry?: () => void }) => (
  <Notice title={nameError(error)}>
    <p>{isOffline(error) ? t("state.offlineHint") : error.message}</p>
    {retry !== undefined && !isForbidden(error) && !isMissing(error) && (
      <button type="button" onClick={retry}>
        {t("state.retry")}
      </button>
    )}
  </Notice>
)

const nameError = (error: Error) =>
  isForbidden(error)
    ? t("state.forbidden")
    : isMissing(error)
      ? t("state.missing")
      : isOffline(error)
        ? t("state.offline")
        : t("state.failed")

/** Shows data, or that it is loading, or why it is not there. Data that is there stays while it is loaded again. */
export const Loaded = <A,>({
  query,
  lines = 3,
  children,
}: {
  readonly query: QueryObserverResult<A, Error>
  readonly lines?: number
  readonly children: (data: A) => ComponentChildren
}) => {
  if (query.data !== undefined && !(query.isError && isMissing(query.error))) return <>{children(query.data)}</>
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Skeleton lines={lines} />
}

export const Skeleton = ({ lines }: { readonly lines: number }) => (
  <div class="skeleton" role="status" aria-label={t("state.loading")}>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} />
    ))}
  </div>
)
