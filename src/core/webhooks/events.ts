import type { Permission } from "../access/permissions.ts"
import { type Change, CHANGE_TYPES, type ChangeType } from "../changes/contract.ts"

/** The events that a webhook can receive. */
export const EVENT_TYPES = [
  "deal.created",
  "deal.updated",
  "deal.deleted",
  "deal.analyzed",
  "deal.verified",
  "document.created",
  "document.updated",
  "document.ready",
  "document.failed",
  "document.deleted",
  "association.created",
  "association.updated",
  "association.deleted",
  "export.completed",
  "export.failed",
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Returns the permission that a key needs for an event, the same as in the feed. */
export const permissionFor = (event: EventType): Permission => CHANGE_TYPES[event.split(".")[0] as ChangeType]

/** Sent on request to any webhook, whatever its event types. */
export const PING = "ping"

/** An event names a thing and its status. Receivers fetch its content with a key, because it may have changed since. */
export interface Event {
  readonly type: EventType | typeof PING
  readonly subject: string
  readonly body: string
}

/** Returns the events of a change; a document that is created and ready at once has two. */
export const toEvents = (change: Change): ReadonlyArray<Event> => {
  const { type, action: _, changed_at: timestamp, cursor: __, ...data } = change
  return eventTypesOf(change).map((event) => ({
    type: event,
    subject: `${type} ${data.id}`,
    body: JSON.stringify({ type: event, timestamp, data }),
  }))
}

const eventTypesOf = ({ type, action, status }: Change): ReadonlyArray<EventType> => {
  switch (type) {
    case "deal":
      return [`deal.${action}`]
    case "association":
      return [`association.${action}`]
    case "export":
      return action !== "deleted" && (status === "completed" || status === "failed") ? [`export.${status}`] : []
    case "document":
      if (action === "deleted") return ["document.deleted"]
      if (status !== "ready" && status !== "failed") return [`document.${action}`]
      return [...(action === "created" ? (["document.created"] as const) : []), `document.${status}`]
  }
}
