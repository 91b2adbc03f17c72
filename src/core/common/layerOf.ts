import * as Layer from "effect/Layer"
import { type Check, shownSecret } from "./options.ts"

/** A check of a part. A text may be an address with a password, so the message names only its kind. */
export const layerOf =
  (what: string, example: string): Check =>
  (value) =>
    Layer.isLayer(value) ? undefined : `must be a layer of ${what}, such as ${example}, not ${shownSecret(value)}`
