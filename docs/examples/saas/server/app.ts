import { type Context, Hono } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import { csrf } from "hono/csrf"
import { html } from "hono/html"
import { HTTPException } from "hono/http-exception"
import { Organizations } from "sightline"
import { recordRenewal } from "./renewals.ts"
import { endSession, logIn, SESSION_SECONDS, signUp, startSession, type User, userOf } from "./sessions.ts"
import { callerOf, sightline } from "./sightline.ts"

const app = new Hono()
export default app

// Sightline's API for the users of this product: `principal` says who asks. It refuses requests of foreign pages itself.
app.all("/intel/*", (context) => sightline.handler(context.req.raw))

app.use(csrf())

const enter = async (context: Context, user: User) => {
  const options = { httpOnly: true, sameSite: "Lax", path: "/", maxAge: SESSION_SECONDS } as const
  setCookie(context, "session", await startSession(user), { ...options, secure: context.req.url.startsWith("https:") })
  return context.json({ email: user.email })
}

/** The signed-in user. A 401 otherwise. */
const signedIn = async (context: Context) => {
  const user = await userOf(getCookie(context, "session") ?? "")
  if (user === undefined) throw new HTTPException(401, { message: "Sign in first." })
  return user
}

/** The fields of a JSON body that must be text. A 400 names one that is not. */
const read = async <Name extends string>(context: Context, ...names: ReadonlyArray<Name>) => {
  const body = (await context.req.json().catch(() => ({}))) as Record<string, unknown>
  for (const name of names) {
    if (typeof body[name] !== "string" || body[name] === "")
      throw new HTTPException(400, { message: `${name} is missing.` })
  }
  return body as Record<Name, string>
}

app.post("/app/sign-up", async (context) => {
  const { email, password, team } = await read(context, "email", "password", "team")
  const user = await signUp(email, password, team)
  if (user === undefined) throw new HTTPException(409, { message: `${email} has an account: sign in.` })
  // A tenant of this product is an organization.
  await sightline.run(Organizations.use(({ ensure }) => ensure({ id: user.team, name: team, plan: "team" })))
  return enter(context, user)
})

app.post("/app/sign-in", async (context) => {
  const { email, password } = await read(context, "email", "password")
  const user = await logIn(email, password)
  if (user === undefined) throw new HTTPException(401, { message: "The address or the password is wrong." })
  return enter(context, user)
})

app.post("/app/sign-out", async (context) => {
  await endSession(deleteCookie(context, "session") ?? "")
  return context.body(null, 204)
})

app.get("/app/me", async (context) => context.json({ email: (await signedIn(context)).email }))

app.post("/app/renewals", async (context) => {
  const user = await signedIn(context)
  const { id, name, due } = await read(context, "id", "name", "due")
  await recordRenewal(user.team, { id, name, due })
  return context.body(null, 204)
})

// A page that the server renders. Its token acts for the signed-in user, from this origin alone.
app.get("/app/ask", async (context) => {
  const { origin } = new URL(context.req.url)
  const token = await sightline.token({ ...callerOf(await signedIn(context)), origin, seconds: 3600 })
  return context.html(
    html`<!doctype html>
      <html lang="en" style="color-scheme: light dark">
        <meta name="viewport" content="width=device-width" />
        <title>Ask</title>
        <sightline-ask src="/intel" token="${token}"></sightline-ask>
        <script type="module" src="/page/element.js"></script>
      </html>`,
  )
})
