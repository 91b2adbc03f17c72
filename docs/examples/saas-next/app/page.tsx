import { connection } from "next/server"
import { Suspense } from "react"
import { Deals } from "sightline"
import { opened } from "../sightline"
import { Ask } from "./Ask"

/** The server reads the deals in its own process; the browser asks the route of the API. */
const DealList = async () => {
  // For each request, not during the build.
  await connection()
  const { data } = await (await opened()).run(Deals.use(({ rows }) => rows("acme", { columns: ["name", "amount"] })))
  return (
    <ul>
      {data.map(({ id, name, amount }) => (
        <li key={id}>
          {name}: {amount ?? "no amount"}
        </li>
      ))}
    </ul>
  )
}

export default function Page() {
  return (
    <main>
      <h1>Deals</h1>
      <Suspense fallback={<p>Reading the deals …</p>}>
        <DealList />
      </Suspense>
      <Ask />
    </main>
  )
}
