import { useEffect } from "preact/hooks"
import type { Input, Output } from "../../client/client.ts"
import { client } from "../common/api.ts"
import { useQuery } from "../common/useQuery.ts"
import { reloadDocuments } from "./uploads.ts"

export type Document = Output<"library", "get">
export type DocumentFilters = Omit<Input<"library", "list">, "page_size" | "cursor">

export const PAGE_SIZE = 50
/** How often the list looks whether documents that other people added were read. */
const LOOK_MS = 4_000

interface Documents {
  readonly data: ReadonlyArray<Document>
  readonly hasMore: boolean
}

/** The newest documents that match, `size` at most. While one is being read, looks again. */
export const useDocuments = (filters: DocumentFilters, size = PAGE_SIZE) => {
  const query = useQuery<Documents>(
    ["documents", "list", filters, size],
    async (signal) => {
      const data: Array<Document> = []
      for await (const page of client.library.list.pages({ ...filters, page_size: PAGE_SIZE }, { signal })) {
        data.push(...page.data)
        if (page.next_cursor === null) break
        if (data.length >= size) return { data, hasMore: true }
      }
      return { data, hasMore: false }
    },
    { keepPrevious: true },
  )
  const isReading = query.data?.data.some(({ status }) => status === "processing") ?? false
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(() => void reloadDocuments(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isReading])
  return query
}
