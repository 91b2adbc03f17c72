import type * as Layer from "effect/Layer"
import { expectTypeOf, it } from "vitest"
import type { layerHttp } from "../../src/core/layers.ts"
import type { Services } from "../../src/core/provided.ts"

it("`Services` names every service that the layers provide, and no other", () => {
  expectTypeOf<Services>().toEqualTypeOf<Layer.Success<ReturnType<typeof layerHttp>>>()
})
