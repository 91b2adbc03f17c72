import type { Input } from "../../client/client.ts"

type EventType = NonNullable<Input<"webhooks", "create">["event_types"]>[number]

/** The contract has the list with its schemas, which a browser need not load. A missing event does not compile. */
const EVENTS = {
  "deal.created": true,
  "deal.updated": true,
  "deal.deleted": true,
  "deal.analyzed": true,
  "deal.verified": true,
  "document.created": true,
  "document.updated": true,
  "document.ready": true,
  "document.failed": true,
  "document.deleted": true,
  "association.created": true,
  "association.updated": true,
  "association.deleted": true,
  "export.completed": true,
  "export.failed": true,
} as const satisfies Record<EventType, true>

export const EVENT_TYPES = Object.keys(EVENTS) as ReadonlyArray<EventType>
