/** A page that a service is asked for. */
export interface PageRequest {
  /** Items per page, from 1. */
  readonly size: number
  /** `next_cursor` of the page before; undefined: the first page. */
  readonly cursor?: string | undefined
}
