import type { Permission } from "../access/permissions.ts"
import { type Change, CHANGE_TYPES, type ChangeType } from "../changes/contract.ts"

/** What a webhook may be told of. */
export const EVENT_TYPES = [
  "deal.created",
  "deal.updated",
  "deal.deleted",
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

/** What a key needs to be told of it, here as in the feed. */
export const permissionFor = (event: EventType): Permission => CHANGE_TYPES[event.split(".")[0] as ChangeType]

/** Sent when asked for, whatever a webhook wants besides. */
export const PING = "ping"

/** What is sent: which thing, and where it stands. What it holds is asked for with a key: it may have changed since. */
export interface Event {
  readonly type: EventType | typeof PING
  readonly subject: string
  readonly body: string
}

/** The events that a change is: created and ready at once are two. */
export const eventsOf = (change: Change): ReadonlyArray<Event> => {
  const { type, action: _, changed_at: timestamp, cursor: __, ...data } = change
  return typesOf(change).map((event) => ({
    type: event,
    subject: `${type} ${data.id}`,
    body: JSON.stringify({ type: event, timestamp, data }),
  }))
}

const typesOf = ({ type, action, status }: Change): ReadonlyArray<EventType> => {
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
