import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { layerEmbedded } from "../support/embedded.ts"
import { type NotReady, open } from "../../src/core/Sightline.ts"
import { SealedCursors } from "../../src/core/signing/SealedCursors.ts"

it("two instances in one process have different secrets, unless the host gives them one, which then must be the same", async () => {
  const context = await Effect.runPromise(Layer.buildWithScope(layerEmbedded, Scope.makeUnsafe()))
  const database = Layer.succeedContext(context)
  const passOn = async (signingSecret: Redacted.Redacted | undefined) => {
    await using a = await open({ database, signingSecret, background: false })
    await using b = await open({ database, signingSecret, background: false })
    await Promise.all([a.ready({ seconds: 600 }), b.ready({ seconds: 600 })])
    const cursor = await a.run(SealedCursors.use(({ seal }) => seal("org_a", "deals", "7")))
    return b.run(SealedCursors.use(({ open }) => open("org_a", "deals", cursor)))
  }
  assert.isUndefined(await passOn(undefined))
  assert.strictEqual(await passOn(Redacted.make("s".repeat(32))), "7")
  await using later = await open({ database, signingSecret: Redacted.make("t".repeat(32)), background: false })
  const refusal = await later.ready({ seconds: 600 }).catch((error: NotReady) => error)
  assert.deepInclude(refusal, { _tag: "NotReady", reason: "unusable" })
  assert.include((refusal as NotReady).message, "set `signingSecret` (SIGHTLINE_SIGNING_SECRET) to the same secret")
})
