import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PagePicture, PageText } from "./document.ts"

/** The engine cannot recognize any page: its key or model is wrong. `reason` tells the operator what to do. */
export class OcrFailed extends Schema.TaggedError<OcrFailed>()("OcrFailed", { reason: Schema.String }) {}

/** The engine cannot recognize this page: it takes too long, or the engine crashes. Other pages may succeed. */
export class PageNotRecognized extends Schema.TaggedError<PageNotRecognized>()("PageNotRecognized", {
  reason: Schema.String,
}) {}

/** The engine is unreachable or busy; a retry may succeed. */
export class OcrUnavailable extends Schema.TaggedError<OcrUnavailable>()("OcrUnavailable", {
  reason: Schema.String,
}) {}

export interface OcrEngine {
  /** Recognizes the text of a page, in bounded time and memory. A page without text has no lines. */
  readonly recognize: (picture: PagePicture) => Effect.Effect<PageText, OcrFailed | PageNotRecognized | OcrUnavailable>
}

/** Recognizes text on pictures of pages. Undefined: documents name their pictures in a warning. */
export const Ocr = Context.Reference<OcrEngine | undefined>("sightline/ports/Ocr", { defaultValue: () => undefined })
