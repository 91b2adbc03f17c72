// A real OpenID provider, with its own pages for login and consent: `node provider.js PORT CALLBACK…`.
import { Provider } from "oidc-provider"

const [port, ...callbacks] = process.argv.slice(2)

let groups = {}
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "sightline",
      client_secret: "provider-secret-of-32-characters",
      redirect_uris: callbacks,
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  cookies: { keys: ["cookie-key"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id, groups: groups[id] ?? [] }),
  }),
})
// `/groups?ada=sales` puts Ada into that group alone.
provider.use(async (context, next) => {
  if (context.path !== "/groups") return next()
  groups = Object.fromEntries(Object.entries(context.query).map(([id, names]) => [id, [names].flat()]))
  context.body = ""
})
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"))
