import { assert, it } from "@effect/vitest"
import { layerEmbedded } from "../support/embedded.ts"
import { cookieOf, openServer } from "./openIdServer.ts"
import { startProvider } from "./provider.ts"

it("a browser at another name of the server goes to the public address first, and only once", async () => {
  const provider = await startProvider()
  const { web, send } = await openServer(layerEmbedded, provider, {
    publicUrl: "https://sales.example.com/intelligence",
  })
  try {
    const MOVED = "/console/openid?moved"
    const moved = await send("/console/openid")
    assert.deepStrictEqual(
      [moved.status, moved.headers.get("location"), moved.headers.getSetCookie()],
      [302, `https://sales.example.com/intelligence${MOVED}`, []],
    )
    for (const address of [MOVED, "https://sales.example.com/console/openid"]) {
      const begun = await send(address)
      assert.isTrue(begun.headers.get("location")?.startsWith(provider.issuer), address)
      assert.isDefined(cookieOf(begun, "sightline_openid"))
    }
  } finally {
    await web.dispose()
    await provider.stop()
  }
})
