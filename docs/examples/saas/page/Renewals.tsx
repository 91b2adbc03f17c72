import { useEffect, useState } from "react"
import { client } from "./client.ts"
import { Form } from "./Form.tsx"
import { read } from "./read.ts"

const listDeals = () => client.deals.list({ columns: ["name", "close_date"], sort: "close_date", sort_order: "asc" })

export const Renewals = () => {
  const [deals, setDeals] = useState<Awaited<ReturnType<typeof listDeals>>>([])
  const refresh = () => listDeals().then(setDeals)
  useEffect(() => void refresh(), [])
  const add = (fields: object) => read("renewals", { id: crypto.randomUUID(), ...fields }).then(refresh)
  const upload = async ({ file, deal_id }: Record<string, FormDataEntryValue>) => {
    const { run_id } = await client.library.uploadToDeal({ file: file as File, deal_id: String(deal_id) })
    await client.waitForRun(run_id)
  }
  return (
    <section>
      <ul>
        {deals.map(({ id, name, close_date }) => (
          <li key={id}>
            {name}, due {close_date ?? "some day"}
          </li>
        ))}
      </ul>
      <Form label="Add a renewal" action={add}>
        <label>
          Customer
          <input name="name" required />
        </label>
        <label>
          Due
          <input name="due" type="date" required />
        </label>
      </Form>
      {deals.length > 0 && (
        <Form label="Add a document" action={upload}>
          <label>
            File
            <input name="file" type="file" required />
          </label>
          <label>
            Renewal
            <select name="deal_id">
              {deals.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </Form>
      )}
    </section>
  )
}
