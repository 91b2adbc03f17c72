import * as Effect from "effect/Effect"
import { throttled, untilEffect } from "../support/until.ts"
import { Web } from "../support/web.ts"

/** Requests `path` until its JSON is as expected. Returns the JSON. */
export const untilReply = (key: string, path: string, expected: string, holds: (json: any) => boolean) =>
  untilEffect(
    `${path} is ${expected}`,
    Effect.gen(function* () {
      const reply = yield* (yield* Web).request(path, key)
      return throttled(reply) ?? (holds(reply.json) ? reply.json : undefined)
    }),
  )

/** Returns a document after its reading. */
export const untilRead = (key: string, id: string) =>
  untilReply(key, `/api/v1/documents/${id}`, "read", ({ status }) => status !== "processing")
