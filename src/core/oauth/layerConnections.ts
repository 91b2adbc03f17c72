import * as Layer from "effect/Layer"
import { lazily } from "../common/lazily.ts"
import { Clients } from "./Clients.ts"
import { Grants } from "./Grants.ts"

/** Applications that people connect. Most processes get no such request, so the code loads with the first. */
export const layerConnections = Layer.merge(
  lazily(Grants, async () => (await import("./layerGrants.ts")).layerGrants),
  lazily(Clients, async () => (await import("./layerClients.ts")).layerClients),
)
