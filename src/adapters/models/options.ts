import { assertOptions } from "../../core/common/InvalidOptions.ts"
import { isRecord } from "../../core/common/isRecord.ts"
import { check, type Checks, integer, seconds } from "../../core/common/options.ts"
import type { Secret } from "../../core/common/secret.ts"
import type { Prices } from "../../core/ports/Analyst.ts"
import { ENDPOINT, ENDPOINT_NEEDS, TRIES } from "../optionChecks.ts"
import type { Patience } from "./patience.ts"

export interface ChatOptions extends Patience {
  /** The base URL with the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: Secret | undefined
  /** US dollars for a million tokens: analyses then state their cost. */
  readonly prices?: Prices | undefined
}

export interface EmbeddingOptions {
  /** The base URL with the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: Secret | undefined
  /** Texts per request; default 64. */
  readonly batch?: number | undefined
  /** Attempts per request; default 4. */
  readonly tries?: number | undefined
  /** Seconds before the first retry, doubled each time; default 0.5. A `Retry-After` takes precedence. */
  readonly pause?: number | undefined
  /** Seconds for one request and its complete reply; default 30. */
  readonly seconds?: number | undefined
}

const EMBEDDER: Checks<EmbeddingOptions> = { ...ENDPOINT, ...TRIES, batch: integer(1), seconds }

export const assertEmbedder = (options: unknown) => assertOptions("embedderOf", EMBEDDER, options, ENDPOINT_NEEDS)

const CHAT: Checks<ChatOptions> = {
  ...ENDPOINT,
  ...TRIES,
  silence: seconds,
  prices: check(
    (value) => isRecord(value) && Number.isFinite(value["input"]) && Number.isFinite(value["output"]),
    "must be { input, output }, US dollars for a million tokens",
  ),
}

/** `owner` is `answererOf` or `analystOf`. */
export const assertChat = (owner: string, options: unknown) => assertOptions(owner, CHAT, options, ENDPOINT_NEEDS)
