import { type Client, createClient } from "../../src/adapters/client/client.ts"

/** Uses the client on any runtime and returns what it saw, as JSON. */
export const useClient = async (baseUrl: string, key: string) => {
  const client: Client = createClient({ baseUrl, key })
  const names: Array<string> = []
  for await (const { name } of client.deals.list.each({
    columns: ["name"],
    page_size: 3,
    sort: "name",
    sort_order: "asc",
  })) {
    names.push(name)
  }
  const progress: Array<number> = []
  // Large enough for several chunks.
  const note = `${"The buyer asked for a lower price. ".repeat(20_000)}\nThe code word is Zanzibar.`
  const upload = await client.library.uploadToDeal(
    { file: new Blob([note], { type: "text/plain" }), file_name: "notes.txt", deal_id: "d1" },
    { onProgress: ({ sentBytes, totalBytes }) => progress.push(sentBytes / (totalBytes ?? NaN)) },
  )
  const { status } = await client.waitForDocument(upload.document.id)
  const original = await (await client.library.original({ id: upload.document.id })).text()
  let text = ""
  let last = ""
  for await (const event of client.answers.stream({
    messages: [{ role: "user", content: "How many deals did we win?" }],
  })) {
    if (event.type === "content_delta") text += event.content
    if (event.type === "done") last = event.message.content
  }
  const { export_id } = await client.exports.create({ columns: ["id"], filters: { deal_ids: ["d2"] } })
  const csv = await (await client.exports.download(await client.waitForExport(export_id))).text()
  const { created } = await client.workspace.import({
    records: [{ type: "owner", id: `o ${export_id}`, name: export_id }],
  })
  const error = await client.deals.get({ id: "none" }).catch(({ code, requestId }) => `${code} ${typeof requestId}`)
  return {
    names: names.length,
    progress: progress.at(-1),
    status,
    isSame: original === note,
    isWhole: text !== "" && text === last,
    csv,
    created,
    error,
  }
}
