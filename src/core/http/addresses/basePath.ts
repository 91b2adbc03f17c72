import * as Context from "effect/Context"

/** The path that was removed from the request, for messages that name paths. */
export const BasePath = Context.Reference<string>("sightline/http/BasePath", { defaultValue: () => "" })

/** Segments of letters, digits and `-._~`: such a path has one spelling, because none of these is percent-encoded. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

export const BASE_PATH_RULE =
  "must be a path such as /intel: a slash before each segment, letters, digits and -._~, no slash at the end"

export const isBasePath = (value: unknown): value is string => typeof value === "string" && BASE_PATH.test(value)

/** Why a public address does not fit a base path. Callers would otherwise get links that do not open. */
export const BASE_PATH_MISSING = (basePath: string) =>
  `must end with the base path, ${basePath}: it is the whole address before /api/v1`

export const endsWithBasePath = (publicUrl: string, basePath: string): boolean =>
  publicUrl.replace(/\/+$/, "").endsWith(basePath)
