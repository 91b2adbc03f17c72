import type { Input, Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { current, signedIn } from "../common/session.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"

type Page = Output<"workspace", "list">
export type Fields = Omit<Input<"workspace", "put">, "kind" | "id">

/** The entries of one kind of names, a page at a time, and the acts that change them. Each act loads the names again. */
export const useEntries = (kind: string) => {
  const queryKey = ["names", kind]
  const query = useQuery<Page>(queryKey, (signal) => client.workspace.list({ kind }, { signal }))
  const { act, isBusy, refusal } = useAct()

  /** The lists of filters have the names too. */
  const reload = async () => {
    await queries.invalidateQueries({ queryKey })
    const workspace = await queries.fetchQuery({
      queryKey: ["workspace"],
      queryFn: () => client.workspace.get(),
      staleTime: 0,
    })
    signedIn.value = { ...current(), workspace }
  }
  return {
    query,
    isBusy,
    refusal,
    put: (id: string, fields: Fields, onDone: () => void) =>
      act(async () => {
        await client.workspace.put({ kind, id, ...fields })
        onDone()
        await reload()
      }),
    remove: (id: string) =>
      act(async () => {
        await client.workspace.delete({ kind, id })
        await reload()
      }),
    more: (cursor: string) =>
      act(async () => {
        const next = await client.workspace.list({ kind, cursor })
        queries.setQueryData<Page>(queryKey, (before) => before && { ...next, data: [...before.data, ...next.data] })
      }),
  }
}
