import * as Redacted from "effect/Redacted"
import { check, integer, seconds, text } from "../core/common/options.ts"
import { parseHttpUrl } from "../core/http/addresses/origin.ts"

// Checks of the options of parts. A part loads its code later, so the host's call checks them: `open` then never gets a part that cannot
// work.

/** The text of a secret or of an address with a password. */
export const revealed = (value: unknown) => (Redacted.isRedacted(value) ? Redacted.value(value) : value)

/** The message does not repeat the secret. */
export const secret = (value: unknown) => {
  const found = revealed(value)
  return typeof found === "string" && found !== "" ? undefined : "must be a text that is not empty"
}

export const bytes = integer(0)

export const httpUrl = check((value) => parseHttpUrl(value) !== undefined, "must be an address of http or https")

/** A model at an OpenAI-compatible endpoint. */
export const ENDPOINT = {
  url: check(
    (value) => parseHttpUrl(value)?.search === "",
    "must be the address with the version, such as https://api.openai.com/v1",
  ),
  model: text("the name of a model"),
  key: secret,
}

export const ENDPOINT_NEEDS = ["url", "model"]

export const TRIES = { tries: integer(1), pause: seconds }
