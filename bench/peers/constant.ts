import { createServer } from "node:http"
import { port, REFUSAL } from "./deals.ts"

/** The floor: node:http that reads nothing and refuses every request with the same bytes as Sightline. */
createServer((request, response) => {
  const refuses = request.headers["x-organization"] === "-"
  response
    .writeHead(refuses ? 401 : 200, { "content-type": "application/json", "content-length": REFUSAL.length })
    .end(REFUSAL)
}).listen(port, "127.0.0.1")
