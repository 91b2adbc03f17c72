import { Hono } from "hono"
import { organizationOf, port } from "./deals.ts"
import { makeAnswer } from "./postgresJs.ts"

/** Hono + postgres.js on the runtime that runs it, Bun or Deno. */
const answer = makeAnswer()
const app = new Hono()
app.get("/api/v1/deals", async (context) =>
  context.body(await answer(organizationOf(context.req.raw.headers), new URL(context.req.url).searchParams), 200, {
    "content-type": "application/json",
  }),
)

declare const Deno: {
  serve(
    options: { readonly port: number; readonly hostname: string; readonly onListen: () => void },
    handler: typeof app.fetch,
  ): void
}

if ("Bun" in globalThis) Bun.serve({ port, hostname: "127.0.0.1", fetch: app.fetch })
else Deno.serve({ port, hostname: "127.0.0.1", onListen: () => {} }, (request) => app.fetch(request))
