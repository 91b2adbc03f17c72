import { describe, expectTypeOf, it } from "vitest"
import type { Client, Content, LibraryUpload } from "../../src/adapters/client/client.ts"

describe("the types of the client", () => {
  it("refuse columns, filters and fields that there are not", () => {
    const check = (client: Client) => {
      // @ts-expect-error There is no such column.
      void client.deals.list({ columns: ["nmae"] })
      // @ts-expect-error There is no such filter.
      void client.deals.list({ analysed: true })
      // @ts-expect-error The column was not asked for.
      void client.deals.list({ columns: ["name"] }).then((rows) => rows[0]?.amount)
      // @ts-expect-error An id is required.
      void client.library.get()
      // @ts-expect-error A viewer is a role, an admiral is not.
      void client.access.createKey({ name: "x", role: "admiral" })
      // @ts-expect-error Its operator is misspelt.
      void client.deals.count({ crm_filters: [{ property: "forecast", operator: "equals", value: "commit" }] })
    }
    expectTypeOf(check).toBeFunction()
  })

  it("follow from the columns, the default ones included", () => {
    const some = (client: Client) => client.deals.list({ columns: ["name", "proposal_due"] })
    expectTypeOf<Awaited<ReturnType<typeof some>>[number]>().toEqualTypeOf<{
      readonly id: string
      readonly name: string
      readonly proposal_due: string | null
    }>()
    const standard = (client: Client) => client.deals.list()
    type Standard = Awaited<ReturnType<typeof standard>>[number]
    expectTypeOf<Standard["amount"]>().toEqualTypeOf<number | null>()
    expectTypeOf<Standard["wl_product_fit_score"]>().toEqualTypeOf<number | null>()
    expectTypeOf<Standard>().not.toHaveProperty("owner_name")
    const whole = (client: Client) => client.deals.list({ columns: ["*"] })
    type Whole = Awaited<ReturnType<typeof whole>>[number]
    expectTypeOf<Whole["owner_name"]>().toEqualTypeOf<string | null>()
    expectTypeOf<Whole["primary_competitor"]>().toEqualTypeOf<{ readonly id: string; readonly name: string } | null>()
  })

  it("let an upload have any content or address as its file, and nothing else", () => {
    expectTypeOf<LibraryUpload["file"]>().toEqualTypeOf<Content | URL>()
    expectTypeOf<LibraryUpload>().not.toHaveProperty("file_base64")
  })
})
