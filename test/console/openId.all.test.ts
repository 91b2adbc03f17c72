import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { installPackages } from "../../build/installPackages.ts"
import { createOperator } from "../../src/adapters/client/operator.ts"
import { type Runtime, RUNTIMES, startServer } from "../adapters/processes.ts"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"

const FOLDER = "test/console/openid"
const OPERATOR_KEY = "operator-key-of-the-sign-in-test-0001"
const CONSOLE = { "x-sightline-console": "1" }

/** A browser without scripts: it keeps cookies by host and path, and shows where a redirect leads. */
const makeBrowser = () => {
  const jar = new Map<string, { readonly value: string; readonly path: string; readonly host: string }>()
  return async (
    address: string,
    { form, headers = {}, ...init }: RequestInit & { form?: Record<string, string> } = {},
  ) => {
    const { host, pathname } = new URL(address)
    const cookie = [...jar]
      .filter(([, kept]) => kept.host === host && pathname.startsWith(kept.path))
      .map(([name, { value }]) => `${name.split("\0")[1]}=${value}`)
      .join("; ")
    const body = form === undefined ? init.body : new URLSearchParams(form)
    const reply = await fetch(address, {
      redirect: "manual",
      ...init,
      ...(form && { method: "POST" }),
      ...(body && { body }),
      headers: { cookie, ...headers },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /; path=([^;]*)/i.exec(line)?.[1] ?? "/"
      jar.set(`${host}${path}\0${name}`, { value, path, host })
    }
    const location = reply.headers.get("location")
    return { reply, next: location === null ? undefined : new URL(location, address).href }
  }
}

describe("signing in through oidc-provider", () => {
  const ports: Record<string, number> = {}
  let provider: ChildProcess
  let issuer = ""
  beforeAll(async () => {
    await installPackages(FOLDER)
    for (const runtime of Object.keys(RUNTIMES)) ports[runtime] = await freePort()
    const port = await freePort()
    issuer = `http://127.0.0.1:${port}`
    const callbacks = Object.values(ports).map((each) => `http://127.0.0.1:${each}/console/openid/callback`)
    provider = spawn(process.execPath, [join(FOLDER, "provider.js"), String(port), ...callbacks])
    let printed = ""
    provider.stdout!.on("data", (text) => (printed += text))
    await until("the provider listens", () => printed.includes("listening"))
  })
  afterAll(() => void provider?.kill())

  it.each(Object.keys(RUNTIMES) as ReadonlyArray<Runtime>)(
    "on %s: members and groups enter, others do not, and nobody who cancels",
    async (runtime) => {
      const server = await startServer(runtime, {
        SIGHTLINE_DATABASE_URL: "memory:",
        SIGHTLINE_OPERATOR_KEY: OPERATOR_KEY,
        SIGHTLINE_OIDC_ISSUER: issuer,
        SIGHTLINE_OIDC_CLIENT_ID: "sightline",
        SIGHTLINE_OIDC_CLIENT_SECRET: "provider-secret-of-32-characters",
        SIGHTLINE_OIDC_SCOPES: "openid email profile groups",
        SIGHTLINE_OIDC_ROLES: "sales=member, sales-admins=admin",
        SIGHTLINE_OIDC_ORGANIZATION: "acme",
        PORT: String(ports[runtime]),
      })
      try {
        const operator = createOperator({ baseUrl: server.url, key: OPERATOR_KEY })
        await operator.organizations.create({ id: "acme", name: "Acme", plan: "enterprise" })
        const admin = operator.of("acme")
        await admin.members.put({ email: "ada@example.com", role: "viewer" })

        /** Signs in on the provider's own pages; returns the page of the console on which that ends. */
        const signIn = async (login: string | undefined) => {
          const browse = makeBrowser()
          let at: string | undefined = `${server.url}/console/openid`
          let page = ""
          while (at !== undefined) {
            const here: string = at
            page = here
            const { pathname } = new URL(here)
            if (here.startsWith(server.url) && pathname === "/sign-in") break
            const prompt = /^\/interaction\/[\w-]+$/.test(pathname)
              ? await (await browse(here)).reply.text()
              : undefined
            const { next }: { next: string | undefined } =
              prompt === undefined
                ? await browse(here)
                : login === undefined
                  ? await browse(`${here}/abort`)
                  : await browse(here, {
                      form: prompt.includes('value="login"')
                        ? { prompt: "login", login, password: "any" }
                        : { prompt: "consent" },
                    })
            at = next
          }
          const query = new URL(page).search
          if (query !== "?openid") return { query, session: undefined }
          const choice = `${server.url}/console/openid/choice`
          const entered = await browse(choice, {
            method: "POST",
            body: JSON.stringify({ organization: "acme" }),
            headers: CONSOLE,
          })
          assert.strictEqual(entered.reply.status, 204)
          const { reply } = await browse(`${server.url}/api/v1/sessions`, { headers: CONSOLE })
          return { query, session: ((await reply.json()) as any).data[0] }
        }

        const inGroups = (query: string) => fetch(`${issuer}/groups?${query}`)
        await inGroups("bob=sales&eve=support")
        assert.deepInclude((await signIn("ada")).session, { name: "ada", role: "viewer" })
        assert.deepInclude((await signIn("bob")).session, { name: "bob", role: "member" })
        await inGroups("bob=sales&bob=sales-admins&eve=support")
        assert.deepInclude((await signIn("bob")).session, { name: "bob", role: "admin" })
        assert.strictEqual((await signIn("eve")).query, "?refused=not_a_member")
        await inGroups("bob=support")
        assert.strictEqual((await signIn("bob")).query, "?refused=not_a_member")
        assert.strictEqual((await signIn(undefined)).query, "?refused=cancelled")
        const { data } = await admin.members.list()
        assert.deepStrictEqual(
          data.map(({ email, origin }) => [email, origin]),
          [["ada@example.com", "added"]],
        )
      } finally {
        server.child.kill("SIGTERM")
        await server.finished
      }
    },
  )
})
