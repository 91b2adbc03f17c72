import { Deals } from "sightline"
import { opened } from "../sightline"
import { Ask } from "./Ask"

// Read for each request, not during the build.
export const dynamic = "force-dynamic"

/** The server reads the deals in its own process; the browser asks the route of the API. */
export default async function Page() {
  const { data } = await (await opened()).run(Deals.use(({ rows }) => rows("acme", { columns: ["name", "amount"] })))
  return (
    <main>
      <h1>Deals</h1>
      <ul>
        {data.map(({ id, name, amount }) => (
          <li key={id}>
            {name}: {amount ?? "no amount"}
          </li>
        ))}
      </ul>
      <Ask />
    </main>
  )
}
