import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../../src/core/server/api.ts"

/** The endpoints of the contract, each as `GET /deals/:id`. */
export const CONTRACT: Array<{ readonly name: string; readonly matches: (method: string, path: string) => boolean }> =
  []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)
    CONTRACT.push({ name: `${method} ${path}`, matches: (m, p) => m === method && pattern.test(p) })
  },
})
