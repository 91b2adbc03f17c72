import { count, countIn, measure, scope } from "./measure.ts"

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
  stage_entered: count(
    scope("stage_entered", "c.entered", { entered_stages_filter_type: "is not empty" }),
    [
      "deals that entered a stage",
      "Deals, die eine Phase erreichten",
      "The number of deals that entered a stage, also by their creation. Of their stage changes, only those in `stage_changed_at` count, and with the dimension `status` those into that stage.",
      "entered, stage entries, moved to a stage",
    ],
    { stages: "entered_stage", beside: ["amount"] },
  ),
  stage_left: count(
    scope("stage_left", "c.exited", { left_stages_filter_type: "is not empty" }),
    [
      "deals that left a stage",
      "Deals, die eine Phase verließen",
      "The number of deals that left a stage. Of their stage changes, only those in `stage_changed_at` count, and with the dimension `status` those out of that stage.",
      "left, stage exits, moved out of a stage",
    ],
    { stages: "left_stage", beside: ["amount"] },
  ),
  slipped: count(
    scope("slipped", "h.slipped", { slipped_from_filter_type: "is not empty" }),
    [
      "slipped deals",
      "Verschobene Deals",
      "The number of deals whose close date moved to a later fiscal quarter of the workspace. Of their earlier close dates, only those in `slipped_from` count. Close dates are tracked from `meta.since` on.",
      "slipped, slippage, pushed deals, deals that slipped",
    ],
    { isTracked: true, isLessBetter: true, beside: ["amount"] },
  ),
}
