import { startOf } from "../../common/zone.ts"

/** Converts a day, a local time of the workspace's zone or an instant to UTC. */
export const toInstant = (text: string | undefined, zone: string) =>
  text === undefined ? undefined : new Date(startOf(text, zone)).toISOString()
