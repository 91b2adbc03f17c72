import type { Lost } from "./anchor.ts"
import { markup } from "./html.ts"

const REASONS: Readonly<Record<Lost, string>> = {
  changed: "The text has changed: the words that the link cites are no longer in it.",
  repeated: "The words that the link cites are in this text several times, and it is not sure which ones were cited.",
}

/** Says why a page does not mark the passage of its link. */
export const lostNotice = (lost: Lost | undefined) =>
  lost !== undefined &&
  markup`<div class="notice" role="status"><h2>The cited passage is not marked</h2><p>${REASONS[lost]}</p></div>`
