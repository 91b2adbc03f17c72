import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dayAt } from "../../common/zone.ts"
import { Deals } from "../../deals/Deals.ts"
import { compressOnce } from "../../http/replies/compression.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { RateLimitExceeded } from "../../http/errors/errors.ts"
import { page } from "../../library/viewer/shell.ts"
import { Reports } from "../../reports/Reports.ts"
import { asHeavy } from "../../storage/CurrentClass.ts"
import { Database } from "../../storage/Database.ts"
import { FigureLinks, type OpenedFigure } from "./FigureLinks.ts"
import { type FigurePage, FigurePages, type Viewer } from "./FigurePages.ts"
import { computeFigure, drawFigure } from "./page.ts"
import { RecentPages } from "./RecentPages.ts"

/** A page is served without a look at the database for this long, whatever changes. */
const FRESH_MS = 60_000
/** Callers that wait for one figure's page, and how long. */
const MAX_WAITING = 20
const WAIT_TIMEOUT_MS = 10_000
const RETRY_AFTER_SECONDS = 5

export const layerFigurePages = Layer.effect(
  FigurePages,
  Effect.gen(function* () {
    const links = yield* FigureLinks
    const context = yield* Effect.context<Database | Deals | Reports>()
    const pages = new RecentPages()
    /** The figures whose pages are computed at present. */
    const running = new Map<string, { readonly done: Deferred.Deferred<void>; waiting: number }>()

    const compute = Effect.fn("FigurePages.compute")(function* (
      key: string,
      opened: OpenedFigure,
      token: string,
      { seesDeals, hasConsole }: Viewer,
    ) {
      const stored = yield* links.read(opened)
      if (stored === undefined) return undefined
      const nowMs = yield* Clock.currentTimeMillis
      const state = JSON.stringify([stored.state, dayAt(nowMs, stored.timezone)])
      const before = pages.get(key)
      const checkedMs = yield* monotonicMs
      if (before?.state === state) {
        pages.put(key, { ...before, checkedMs })
        return before
      }
      const computed = yield* asHeavy(Effect.provideContext(computeFigure(opened.org, stored, seesDeals), context))
      const { title, body } = drawFigure(stored, computed, {
        nowMs,
        signIn: hasConsole ? `../sign-in?to=r/${token}` : "",
      })
      const response = yield* page(200, title, body)
      const { body: content } = response
      if (content._tag === "Uint8Array")
        pages.put(key, { response, bytes: compressOnce(content).contentLength, title, state, checkedMs })
      return { response, title }
    })

    return FigurePages.of({
      show: Effect.fnUntraced(function* (opened, token, viewer) {
        const key = `${opened.org}\0${token}\0${viewer.seesDeals}`
        const figure = `${opened.org}\0${opened.target}\0${opened.id}`
        const deadlineMs = (yield* monotonicMs) + WAIT_TIMEOUT_MS
        const attempt = (nowMs: number): Effect.Effect<FigurePage | undefined | "waited", ComputeError> => {
          const fresh = pages.get(key)
          if (fresh !== undefined && nowMs - fresh.checkedMs < FRESH_MS) return Effect.succeed(fresh)
          const other = running.get(figure)
          if (other === undefined) {
            const done = Deferred.makeUnsafe<void>()
            running.set(figure, { done, waiting: 0 })
            return Effect.ensuring(
              compute(key, opened, token, viewer),
              Effect.suspend(() => {
                running.delete(figure)
                return Deferred.succeed(done, undefined)
              }),
            )
          }
          if (other.waiting >= MAX_WAITING) return tooBusy
          other.waiting++
          return Deferred.await(other.done).pipe(
            Effect.ensuring(Effect.sync(() => other.waiting--)),
            Effect.as("waited" as const),
            Effect.timeoutOrElse({ duration: Math.max(deadlineMs - nowMs, 1), orElse: () => tooBusy }),
          )
        }
        for (;;) {
          const shown = yield* Effect.flatMap(monotonicMs, attempt)
          if (shown !== "waited") return shown
        }
      }),
    })
  }),
)

type ComputeError = Effect.Error<ReturnType<typeof computeFigure>> | Effect.Error<typeof tooBusy>

const monotonicMs = Effect.map(Clock.Clock, (clock) => Number(clock.monotonicTimeNanosUnsafe()) / 1e6)

const tooBusy = Effect.flatMap(CurrentRequest, (state) => {
  state.retryAfter = RETRY_AFTER_SECONDS
  return Effect.fail(
    new RateLimitExceeded({
      message: "other callers wait for the page of this figure; open it again in some seconds",
      details: { scope: "concurrency" },
    }),
  )
})
