import * as Effect from "effect/Effect"
import { NotFound } from "../http/errors.ts"
import { Organizations } from "../workspace/Organizations.ts"

/** Finds an organization; fails with NotFound if there is none. */
export const requireOrganization = Effect.map(
  Organizations,
  ({ find }) =>
    (id: string) =>
      Effect.flatMap(find(id), (organization) =>
        organization === undefined
          ? Effect.fail(new NotFound({ message: `no organization has the id '${id}'` }))
          : Effect.succeed(organization),
      ),
)
