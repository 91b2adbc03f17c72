import type { Output } from "../../client/client.ts"
import { client } from "./api.ts"
import { current } from "./session.ts"
import { useQuery } from "./useQuery.ts"

export type Competitor = Output<"workspace", "get">["competitors"]["data"][number]

/** Beyond this many pages of 100, a list of choices helps nobody. */
const MAX_PAGES = 10

/** The competitors of the workspace by name: at once the first hundred, which came with the sign-in, then the others. */
export const useCompetitors = () => {
  const { competitors } = current().workspace
  const query = useQuery(
    ["competitors"],
    async (signal) => {
      const all: Array<Competitor> = []
      let pages = 0
      for await (const page of client.workspace.list.pages({ kind: "competitors" }, { signal })) {
        all.push(...(page.data as ReadonlyArray<Competitor>))
        if (++pages === MAX_PAGES) break
      }
      return all
    },
    { enabled: competitors.has_more },
  )
  return { competitors: query.data ?? competitors.data, query }
}
