import { createServer } from "node:http"
import { port } from "./deals.ts"

/** The floor: node:http that reads nothing and refuses every request with the same bytes as Sightline. */
const refusal = JSON.stringify({
  error: {
    code: "unauthorized",
    message: "send 'Authorization: Bearer <key>' with a key of this workspace that is neither revoked nor expired",
  },
})

createServer((request, response) => {
  const refuses = request.headers["x-organization"] === "-"
  response
    .writeHead(refuses ? 401 : 200, { "content-type": "application/json", "content-length": refusal.length })
    .end(refusal)
}).listen(port, "127.0.0.1")
