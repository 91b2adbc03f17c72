import * as Stream from "effect/Stream"
import { inTransaction } from "sightline/postgres"
import { Import } from "sightline/services"
import { pool } from "./database.ts"
import { sightline } from "./sightline.ts"

export interface Renewal {
  readonly id: string
  readonly name: string
  /** A day, such as 2027-03-31. */
  readonly due: string
}

/** Records a renewal here and as a deal of Sightline: both, or neither. */
export const recordRenewal = async (team: string, { id, name, due }: Renewal) => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    await client.query(
      "insert into app.renewals values ($1, $2, $3) on conflict (team_id, deal_id) do update set due = excluded.due",
      [team, id, due],
    )
    const deal = Stream.make({ type: "deal", id, name, close_date: due })
    const imported = Import.use(({ records }) => records(team, deal))
    const { errors } = await sightline.run(inTransaction(client, imported))
    if (errors[0] !== undefined) throw new Error(`${errors[0].field}: ${errors[0].reason}`)
    await client.query("commit")
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}
