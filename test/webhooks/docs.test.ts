import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EVENT_TYPES } from "../../src/core/webhooks/events.ts"
import { makeSecret } from "../../src/core/webhooks/secrets.ts"
import { signatureHeaders } from "../../src/core/webhooks/signature.ts"

const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8")

it.live("the verifier in docs/webhooks.md accepts genuine deliveries only", () =>
  Effect.gen(function* () {
    const [, snippet = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
    const directory = mkdtempSync(join(tmpdir(), "sightline-snippet-"))
    const file = join(directory, "verify.ts")
    writeFileSync(file, snippet)
    const { isGenuine } = yield* Effect.promise(() => import(pathToFileURL(file).href))
    rmSync(directory, { recursive: true })
    const [secret, other] = [yield* makeSecret, yield* makeSecret]
    const body = '{"type":"ping"}'
    const now = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders("msg_1", now, body, [other, secret])
    assert.isTrue(isGenuine(secret, headers, body))
    assert.isTrue(isGenuine(other, headers, body))
    assert.isFalse(isGenuine(secret, headers, `${body} `))
    assert.isFalse(isGenuine(secret, { ...headers, "webhook-id": "msg_2" }, body))
    assert.isFalse(isGenuine(yield* makeSecret, headers, body))
    assert.isFalse(isGenuine(secret, signatureHeaders("msg_1", now - 3600, body, [secret]), body))
  }),
)

it("docs/webhooks.md names every event", () => {
  const named = [...page.matchAll(/`((?:deal|document|association|export)\.\w+)`/g)].map(([, event]) => event)
  assert.sameMembers([...new Set(named)], [...EVENT_TYPES])
})
