import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { FigureLinks } from "../../src/core/answers/figures/FigureLinks.ts"
import { DownloadLinks } from "../../src/core/exports/DownloadLinks.ts"
import { CurrentRequest } from "../../src/core/http/CurrentRequest.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { Links } from "../../src/core/signing/Links.ts"
import { TARGETS } from "../../src/core/signing/token.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { insertWorkspace, makeWorkspace } from "../deals/workspace.ts"
import { runExport } from "../exports/support.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { findPrincipal, layerWeb, Web } from "../support/web.ts"

const HOUR = 60 * 60
const WON = { subject: "deals", query: { measures: ["won"], groupBy: [], filters: {}, limit: 1 } } as const
const REPORT = { data: [], totals: { values: { won: 1 } } }

interface Maker {
  readonly org: string
  /** The row in `api_keys`. */
  readonly row: string
  readonly identity: string | undefined
}

/** An event in the life of a link's maker, and the status of its links afterwards. */
const ENDINGS: Readonly<
  Record<string, { readonly by: "key" | "person"; readonly status: number; readonly end: (maker: Maker) => Ending }>
> = {
  "its key is revoked": { by: "key", status: 410, end: ({ org, row }) => ApiKeys.use((keys) => keys.revoke(org, row)) },
  "its key is revoked as a descendant": {
    by: "key",
    status: 410,
    end: ({ org, row }) =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id } = yield* keys.create(org, { name: "parent", role: "owner" })
        yield* write(org, `update api_keys set created_by = '${id}' where id = '${row}'`)
        yield* keys.revoke(org, id, { descendants: true })
      }),
  },
  "its key expires": {
    by: "key",
    status: 410,
    end: ({ org, row }) =>
      write(org, `update api_keys set expires_at = now() - interval '1 second' where id = '${row}'`),
  },
  "its key is deleted": {
    by: "key",
    status: 410,
    end: ({ org, row }) => write(org, `delete from api_keys where id = '${row}'`),
  },
  "its organization is erased": {
    by: "key",
    status: 410,
    end: ({ org }) => Organizations.use(({ erase }) => erase(org)),
  },
  "its person is revoked": {
    by: "person",
    status: 410,
    end: ({ org, identity = "" }) => ApiKeys.use(({ revokeIdentity }) => revokeIdentity(org, identity)),
  },
  "the organization of its person is erased": {
    by: "person",
    status: 410,
    end: ({ org }) => Organizations.use(({ erase }) => erase(org)),
  },
  // Each link opens one thing, which its key could read when the link was made.
  "its key has another secret": {
    by: "key",
    status: 200,
    end: ({ org, row }) => ApiKeys.use((keys) => keys.rotate(org, row, 0)),
  },
  "its key loses its permissions": {
    by: "key",
    status: 200,
    end: ({ org, row }) => write(org, `update api_keys set permissions = '{}' where id = '${row}'`),
  },
}

type Ending = Effect.Effect<unknown, unknown, ApiKeys | Database | Organizations>

const write = (org: string, statement: string): Ending =>
  Effect.flatMap(Database, ({ sql, transaction }) => transaction(org, sql.unsafe(`${statement} and org_id = '${org}'`)))

for (const engine of engines) {
  describe(`links on ${engine.name}`, () => {
    layer(layerWeb(engine.database, undefined, undefined, true, findPrincipal), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        yield* insertWorkspace(org, makeWorkspace(makeRandom(1), 3, []))
        const { id: document } = yield* readDocument(org, [onPage(1, "the price is secret")])
        const { status } = yield* runExport(key, { columns: ["name"] })
        const { sql, scoped, transaction } = yield* Database
        yield* transaction(
          org,
          sql`insert into cited_reports (org_id, id, query, expires_at)
            values (${org}, 'before', ${JSON.stringify(WON)}, now() + interval '1 day')`,
        )
        const [deal] = yield* scoped<{ id: string }>(org, sql`select id from deals where org_id = scope.org limit 1`)
        const exported = (status as { readonly export_id: string }).export_id

        /** A link of each kind, as a request of this actor makes it. */
        const linksOf = (keyId: string | undefined, credentialExpires?: number) =>
          Effect.gen(function* () {
            const { url, dealUrl } = yield* ViewerLinks
            const expires = Math.floor(Date.now() / 1000) + HOUR
            const figure = { figure: WON, report: REPORT, currency: undefined }
            const before = yield* (yield* Links).token(org, { target: "reports", id: "before", expires })
            return {
              documents: yield* url(org, document),
              deals: yield* dealUrl(org, deal!.id, { start: 0, end: 1 }),
              exports: yield* (yield* DownloadLinks).url(org, exported, new Date(expires * 1000).toISOString()),
              reports: `/r/${before}`,
              figures: (yield* (yield* FigureLinks).url(org, figure, undefined))!.url,
            }
          }).pipe(
            Effect.provideServiceEffect(
              CurrentRequest,
              Effect.map(CurrentRequest, (request) => ({ ...request, keyId, expires: credentialExpires })),
            ),
          )
        const statuses = (links: Readonly<Record<string, string>>) =>
          Effect.map(
            Effect.forEach(Object.entries(links), ([kind, link]) =>
              Effect.map(web.request(link, ""), ({ status }) => [kind, status] as const),
            ),
            (all) => Object.fromEntries(all),
          )
        const all = (status: number) => Object.fromEntries(TARGETS.map((kind) => [kind, status]))
        const makeMaker = (by: "key" | "person") =>
          Effect.gen(function* () {
            if (by === "key") {
              const { id } = yield* (yield* ApiKeys).create(org, { name: "maker", role: "viewer" })
              return { org, row: id, identity: undefined }
            }
            const identity = { id: `person ${Math.random()}`, name: "Ada" }
            yield* web.request(
              "/api/v1/deals?page_size=1",
              JSON.stringify({ organization: org, role: "viewer", identity }),
            )
            const [row] = yield* scoped<{ id: string }>(
              org,
              sql`select id from api_keys where org_id = scope.org and identity = ${identity.id}`,
            )
            return { org, row: row!.id, identity: identity.id }
          })
        return { org, linksOf, statuses, all, makeMaker }
      })

      it.effect("of every kind end when their maker ends, in every way", () =>
        Effect.gen(function* () {
          const shared = yield* setUp
          for (const [ending, { by, status, end }] of Object.entries(ENDINGS)) {
            // An erased organization is not there for the next.
            const { linksOf, statuses, all, makeMaker } = ending.includes("erased") ? yield* setUp : shared
            const maker = yield* makeMaker(by)
            const [links, others] = [yield* linksOf(maker.row), yield* linksOf((yield* makeMaker("key")).row)]
            assert.deepStrictEqual(yield* statuses(links), all(200), `before ${ending}`)
            yield* end(maker)
            assert.deepStrictEqual(yield* statuses(links), all(status), ending)
            if (!ending.includes("erased"))
              assert.deepStrictEqual(yield* statuses(others), all(200), `others: ${ending}`)
          }
        }),
      )

      it.effect("of every kind end with the token of a host's page, and never outlive their organization", () =>
        Effect.gen(function* () {
          const { org, linksOf, statuses, all, makeMaker } = yield* setUp
          const { row } = yield* makeMaker("person")
          const now = Math.floor(Date.now() / 1000)
          assert.deepStrictEqual(yield* statuses(yield* linksOf(row, now + HOUR)), all(200))
          assert.deepStrictEqual(yield* statuses(yield* linksOf(row, now - 1)), all(410))
          const ofHost = yield* linksOf(undefined)
          assert.deepStrictEqual(yield* statuses(ofHost), all(200))
          yield* (yield* Organizations).erase(org)
          assert.deepStrictEqual(yield* statuses(ofHost), all(410))
        }),
      )
    })
  })
}
