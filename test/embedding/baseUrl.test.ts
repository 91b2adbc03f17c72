import { afterEach, assert, describe, it, vi } from "vitest"
import { type ClientOptions, createClient } from "../../src/adapters/client/client.ts"

/** The address of the first request of a client with these options. */
const addressOf = async (options?: ClientOptions) => {
  let address = ""
  const fetch = async (url: string) => {
    address = url
    return Response.json([])
  }
  await createClient({ ...options, fetch }).deals.list()
  return address
}

const refusalOf = (make: () => unknown) => {
  try {
    make()
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail("it is accepted")
}

describe("the client's `baseUrl`", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it.each([
    [undefined, "https://app.example/api/v1/deals"],
    ["/intel/", "https://app.example/intel/api/v1/deals"],
    ["/api/v1", "https://app.example/api/v1/deals"],
    ["https://api.example/intel", "https://api.example/intel/api/v1/deals"],
  ])("%j is, in a page of app.example, %s", async (baseUrl, address) => {
    vi.stubGlobal("location", new URL("https://app.example/deals/1?tab=notes"))
    assert.strictEqual(await addressOf({ baseUrl }), address)
  })

  it("has no default outside of a page: a client is made, for components that a server renders, but sends nothing", async () => {
    for (const baseUrl of [undefined, "/intel"]) {
      let sent = 0
      const client = createClient({ baseUrl, fetch: async () => Response.json([sent++]) })
      const error = await client.deals.list().then(
        () => undefined,
        (error: unknown) => error,
      )
      assert.instanceOf(error, TypeError)
      assert.match(String(error), /must be an address such as https:.*, not (undefined|'\/intel'); outside of a page/)
      assert.strictEqual(sent, 0)
    }
  })

  it("refuses an option that it does not have", () => {
    assert.include(
      refusalOf(() => createClient({ apiKey: "k" } as never)),
      "`apiKey` is no option. The options are baseUrl, key, ",
    )
    assert.include(
      refusalOf(() => createClient({ zebra: 1 } as never)),
      "`zebra` is no option. The options are baseUrl, key",
    )
  })

  it.each(["app.example/intel", "localhost:8787", "ftp://app.example", ""])("%j is refused at once", (baseUrl) => {
    assert.include(
      refusalOf(() => createClient({ baseUrl })),
      `\`baseUrl\` must be an address such as https://sightline.example.com, not '${baseUrl}'`,
    )
  })
})
