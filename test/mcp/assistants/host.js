import { once } from "node:events"
import { layerPglite } from "../../../src/adapters/database/pglite.ts"
import { layerLibrary } from "../../../src/adapters/library.ts"
import { open, Organizations } from "../../../src/core/Sightline.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../../support/unlimited.ts"

// A product with a login of its own, and Sightline below /intel: `host.js FRAMEWORK`. Its login lets everybody in as Ada. It prints its
// address and serves until it is killed.

const [framework] = process.argv.slice(2)
let sightline

const withExpress = async () => {
  const { default: express } = await import("express")
  const { getRequestListener } = await import("@hono/node-server")
  const app = express()
  app.get("/login", (request, response) => {
    response.cookie("session", "ada", { httpOnly: true, sameSite: "lax" })
    response.redirect(request.query.to)
  })
  app.use(getRequestListener((request) => sightline.handler(request)))
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server.address().port
}

const withHono = async () => {
  const { Hono } = await import("hono")
  const { setCookie } = await import("hono/cookie")
  const app = new Hono()
  app.get("/login", (context) => {
    setCookie(context, "session", "ada", { httpOnly: true, sameSite: "Lax" })
    return context.redirect(context.req.query("to"))
  })
  app.all("*", (context) => sightline.handler(context.req.raw))
  const at = { hostname: "127.0.0.1", port: 0 }
  if (globalThis.Deno !== undefined) return Deno.serve({ ...at, onListen: () => {} }, app.fetch).addr.port
  return Bun.serve({ ...at, idleTimeout: 120, fetch: app.fetch }).port
}

const frameworks = { Express: withExpress, Hono: withHono }
const site = `http://127.0.0.1:${await frameworks[framework]()}`
let organization
sightline = await open({
  database: layerPglite(),
  library: layerLibrary(),
  basePath: "/intel",
  plans: UNLIMITED_PLANS,
  publicUrl: `${site}/intel`,
  principal: ({ headers }) =>
    headers.get("cookie")?.includes("session=ada")
      ? { organization, role: "member", identity: { id: "ada", name: "Ada" } }
      : undefined,
  oauth: { loginUrl: (returnTo) => `${site}/login?to=${encodeURIComponent(returnTo)}` },
})
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
organization = id
console.log(`${site}/intel`)
