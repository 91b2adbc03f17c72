import { countIn, measure, scope } from "./measure.ts"

const FIRST_WON = scope("new_clients", "f.id is not null", { first_won: true })

/** Measures that other deals of a client, or earlier states of a deal, decide. */
export const HISTORY_MEASURES = {
  new_clients: measure(
    "clients",
    true,
    countIn(FIRST_WON),
    [
      "new clients",
      "Neue Kunden",
      "The number of clients whose first won deal is among the deals: by close date, then by id, of all deals of the client.",
      "new logos, new customers, new accounts, first won deals",
    ],
    { scope: FIRST_WON, beside: [] },
  ),
}
