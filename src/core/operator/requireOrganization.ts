import * as Effect from "effect/Effect"
import { unknownOrganization } from "../storage/inOrganization.ts"
import { Organizations } from "../catalogue/Organizations.ts"

/** Finds an organization; fails with NotFound if there is none. */
export const requireOrganization = Effect.map(
  Organizations,
  ({ find }) =>
    (id: string) =>
      Effect.flatMap(find(id), (organization) =>
        organization === undefined ? Effect.fail(unknownOrganization(id)) : Effect.succeed(organization),
      ),
)
