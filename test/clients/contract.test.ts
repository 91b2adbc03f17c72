import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, expectTypeOf, it } from "vitest"
import { CONTRACT_FOLDER, renderTypes } from "../../docs/reference/clientTypes.ts"
import type { ResponseEvent } from "../../src/adapters/client/contract/answers.ts"
import type { Contract } from "../../src/adapters/client/contract/contract.ts"
import type { DealFilters } from "../../src/adapters/client/contract/filters.ts"
import type * as operator from "../../src/adapters/client/contract/operator.ts"
import type { ImportRecord } from "../../src/adapters/client/contract/records.ts"
import type { ENDPOINTS } from "../../src/adapters/client/endpoints.ts"
import type * as events from "../../src/core/answers/events.ts"
import type * as columns from "../../src/core/deals/columns/columns.ts"
import type { ColumnAliases, ColumnValues, DefaultName } from "../../src/core/deals/columns/values.ts"
import type * as filters from "../../src/core/deals/filters/filters.ts"
import type * as contract from "../../src/core/operator/contract.ts"
import type * as records from "../../src/core/records/record.ts"
import type { DerivedContract, DerivedRoutes, Flat } from "./derived.ts"

const ROOT = join(import.meta.dirname, "../..")

/** The names of the types that differ in `A` and `B`. */
type Different<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (Same<A[K], B[K]> extends true ? never : K) : K
}[keyof A | keyof B]
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false

/** The types of every endpoint, by `group.endpoint input` and `group.endpoint output`. */
type Parts<C> = Flat<
  Joined<{ [G in keyof C]: { [E in keyof C[G] as `${G & string}.${E & string}`]: C[G][E] } }[keyof C]>
>
type Joined<U> = (U extends unknown ? (given: U) => void : never) extends (given: infer All) => void ? All : never

describe("the plain types of the contract", () => {
  it("are those of its schemas, but for the columns of a deal, of which a schema knows less", () => {
    type Plain = Parts<Contract>
    type Derived = Parts<DerivedContract>
    expectTypeOf<Different<Plain, Derived>>().toEqualTypeOf<"deals.list" | "deals.get" | "deals.update">()
    expectTypeOf<Plain["deals.list"]["input"]>().toEqualTypeOf<Derived["deals.list"]["input"]>()
    expectTypeOf<Plain["deals.get"]["input"]>().toEqualTypeOf<Derived["deals.get"]["input"]>()
    expectTypeOf<Plain["deals.update"]["input"]>().toEqualTypeOf<Derived["deals.update"]["input"]>()
    expectTypeOf<typeof ENDPOINTS>().toEqualTypeOf<DerivedRoutes>()
    expectTypeOf<DealFilters>().toEqualTypeOf<filters.DealFilters>()
    expectTypeOf<ImportRecord>().toEqualTypeOf<records.ImportRecord>()
    expectTypeOf<ResponseEvent>().toEqualTypeOf<events.ResponseEvent>()
  })

  it("are those of the columns", () => {
    type Derived = { readonly [K in columns.ColumnName]: (typeof columns.COLUMNS)[K]["schema"]["Type"] }
    expectTypeOf<ColumnValues>().toEqualTypeOf<Derived>()
    expectTypeOf<DefaultName>().toEqualTypeOf<columns.DefaultName>()
    expectTypeOf<Flat<ColumnAliases>>().toEqualTypeOf<columns.ColumnAliases>()
  })

  it("are those of the operator's API", () => {
    expectTypeOf<operator.Organization>().toEqualTypeOf<contract.Organization>()
    expectTypeOf<operator.NewOrganization>().toEqualTypeOf<contract.NewOrganization>()
    expectTypeOf<operator.OrganizationPatch>().toEqualTypeOf<contract.OrganizationPatch>()
    expectTypeOf<operator.OrganizationPage>().toEqualTypeOf<contract.OrganizationPage>()
    expectTypeOf<operator.Erased>().toEqualTypeOf<contract.Erased>()
  })

  it("are in files that `npm run client` writes", () => {
    const files = renderTypes()
    for (const [path, text] of files) assert.strictEqual(readFileSync(join(ROOT, path), "utf8"), text, path)
    const written = readdirSync(join(ROOT, CONTRACT_FOLDER)).map((name) => `${CONTRACT_FOLDER}/${name}`)
    assert.sameMembers(
      written,
      [...files.keys()].filter((path) => path.startsWith(CONTRACT_FOLDER)),
    )
  })

  it("bring no declaration of Effect into a program that has the client", () => {
    const options = ["--ignoreConfig", "--listFilesOnly", "--allowImportingTsExtensions", "--noEmit"]
    const target = ["--module", "nodenext", "--target", "es2024", "--types", ""]
    const entries = ["client", "operator"].map((name) => `src/adapters/client/${name}.ts`)
    const args = [...options, ...target, ...entries]
    const printed = execFileSync(join(ROOT, "node_modules/.bin/tsc"), args, { cwd: ROOT, encoding: "utf8" })
    const packages = [...printed.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name]) => name)
    assert.sameMembers(
      [...new Set(packages)].filter((name) => !/typescript/.test(name!)),
      ["eventsource-parser"],
    )
  })
})
