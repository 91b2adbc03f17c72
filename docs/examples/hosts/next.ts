// npm install sightline effect @effect/sql-pg @electric-sql/pglite next
// node next.ts
// In Next it is app/[...path]/route.ts, and next.config.ts has serverExternalPackages: ["@electric-sql/pglite"].
import { ApiKeys, openOnce, Organizations, type Sightline } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

// The first request opens it, because `next build` loads this module too. `next dev` evaluates the module again after an edit.
let opening: Promise<Sightline> | undefined
const opened = () => (opening ??= openOnce("next", { database: layerPglite(), library: layerLibrary() }))

const handle = async (request: Request) => {
  // Next compresses replies itself. `next dev` 16.4.6 also drops the `Content-Encoding` of those that are compressed already.
  request.headers.delete("accept-encoding")
  return (await opened()).handler(request)
}
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }

// Next only imports this module.
if (process.argv[1] === import.meta.filename) {
  const sightline = await opened()
  const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
  const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "next", role: "owner" })))

  const client = createClient({
    baseUrl: "http://localhost",
    key,
    fetch: (url, init) => handle(new Request(url, init)),
  })
  await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
  const file = new File(["Orvanta charges $40 per seat."], "prices.md")
  const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
  await client.waitForRun(run_id)
  const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
  console.log(answer.message.content)

  await sightline.dispose()
}
