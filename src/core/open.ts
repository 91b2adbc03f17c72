import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { checkOptions } from "./checkOptions.ts"
import { InvalidOptions } from "./common/InvalidOptions.ts"
import { shown } from "./common/options.ts"
import { type NewToken, Tokens } from "./access/Tokens.ts"
import { Background, type TickReport } from "./jobs/Background.ts"
import { layerHttp, type Options } from "./layers.ts"
import { disposed, makeOpening, NotReady } from "./opening.ts"
import { DatabaseUnavailable } from "./ports/DatabaseUnavailable.ts"
import type { Services } from "./provided.ts"
import { Closing } from "./server/Closing.ts"
import { envelope } from "./server/envelope.ts"
import { HttpApp } from "./server/HttpApp.ts"
import { drain, type Draining, InFlight } from "./server/InFlight.ts"
import { layerTelemetry } from "./telemetry/layerTelemetry.ts"

export { NotReady }

/** The whole service, inside a host's process. */
export interface Sightline extends AsyncDisposable {
  /** Answers one request. Until the database is open, it replies 503 with `Retry-After`. */
  readonly handler: (request: Request) => Promise<Response>
  /**
   * Runs an effect that needs services, such as `Organizations.use((organizations) => organizations.create(…))`. `signal` interrupts it,
   * such as an endless stream before `dispose`, which waits for it otherwise.
   */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Services>,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<A>
  /** The services, for a host written with Effect. Fails as `ready` does. */
  readonly services: Effect.Effect<Context.Context<Services>, NotReady>
  /** Resolves once the database is open. Rejects with `NotReady` after `seconds`, 30 by default. */
  readonly ready: (options?: { readonly seconds?: number | undefined }) => Promise<void>
  /**
   * Does due work for at most `seconds`: documents, exports, webhooks, search, retention. For a host that runs only while it answers,
   * opened with `background: false`. Returns what it did, and whether due work remains.
   */
  readonly tick: (options: { readonly seconds: number }) => Promise<TickReport>
  /**
   * Makes a bearer token for a page of the host: it acts as the identity, 15 minutes by default. Rejects with `InvalidOptions`, also
   * without the option `signingSecret`, and with `NotFound` if the organization does not exist.
   */
  readonly token: (token: NewToken) => Promise<string>
  /**
   * Refuses new requests, waits at most `drainSeconds` (0 to 600; 0 by default) for those that run and for effects of `run`, ends the
   * rest, returns jobs to their queue, and closes the database. A request that it ends gets a 503, a stream of an answer its last event.
   * A second call joins the first, and can only shorten its wait. `await using` waits 5 s.
   */
  readonly dispose: (options?: { readonly drainSeconds?: number | undefined }) => Promise<void>
}

/** How long a request waits for the database to open. */
const REQUEST_WAIT_MS = 25_000
const READY_SECONDS = 30
const MAX_DRAIN_SECONDS = 600
const USING_DRAIN_SECONDS = 5
/** How long streams may take for their last event after the signal to end. */
const LAST_EVENT_MS = 1000

/**
 * Opens the service. Rejects only with `InvalidOptions`: a database that is down is opened as soon as it answers, and
 * requests get a 503 until then.
 */
export const open = async <E>(options: Options<E>): Promise<Sightline> => {
  await Effect.runPromise(checkOptions(options))
  const scope = Scope.makeUnsafe()
  const closing = Latch.makeUnsafe(false)
  const inFlight = new InFlight()
  const opening = await Effect.runPromise(
    Scope.provide(
      makeOpening(
        layerTelemetry(options),
        (telemetry) => Layer.provideMerge(layerHttp(options, telemetry), Layer.succeed(Closing, closing)),
        options.background !== false,
      ),
      scope,
    ),
  )
  Effect.runFork(opening.join)

  const services = (seconds = READY_SECONDS) =>
    Effect.timeoutOrElse(opening.wait, {
      duration: `${seconds} seconds`,
      orElse: () => Effect.suspend(() => Effect.fail(opening.lastError() ?? slow(seconds))),
    })
  const run: Sightline["run"] = (effect, options) =>
    inFlight.run(
      (async () => {
        if (!Effect.isEffect(effect)) throw new TypeError(`\`run\` takes an effect, ${EXAMPLE}, not ${shown(effect)}`)
        const current = opening.current() ?? (await Effect.runPromise(services(), options))
        return Effect.runPromiseWith(current)(effect, options)
      })(),
    )

  let answer: ((request: Request) => Promise<Response>) | undefined
  const opened = Effect.raceFirst(opening.join, Effect.delay(Effect.fail(unreachable), REQUEST_WAIT_MS))
  const reply = async (request: Request): Promise<Response> => {
    if (answer === undefined) {
      const exit = await Effect.runPromiseExit(opened)
      if (Exit.isFailure(exit)) return refuse(toCaller(exit.cause), request, opening.telemetry())
      const bound = HttpEffect.toWebHandlerWith<Services, HttpServerRequest | Scope.Scope>(exit.value)(
        Context.get(exit.value, HttpApp),
      )
      // A framework may pass its own second argument, which Effect would take for a context.
      answer ??= (request) => bound(request)
    }
    return answer(request)
  }
  const refuseClosing = async (request: Request) => {
    const response = await refuse(disposed, request, opening.telemetry())
    response.headers.set("connection", "close")
    return response
  }
  const handler = async (request: Request): Promise<Response> => {
    if (!isRequest(request)) throw new TypeError(`\`handler\` takes a Request, not ${shown(request)}`)
    return draining === undefined
      ? inFlight.reply(reply(request), () => refuseClosing(request))
      : refuseClosing(request)
  }

  let draining: Draining | undefined
  const dispose: Sightline["dispose"] = async ({ drainSeconds = 0 } = {}) => {
    assertSeconds({ drainSeconds }, MAX_DRAIN_SECONDS)
    draining ??= drain(inFlight, async () => {
      closing.openUnsafe()
      inFlight.cut()
      await Effect.runPromise(Effect.timeoutOption(Effect.promise(inFlight.idle), LAST_EVENT_MS))
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })
    draining.within(drainSeconds * 1000)
    return draining.closed
  }
  return {
    handler,
    run,
    services: services(),
    ready: async ({ seconds = READY_SECONDS } = {}) => {
      assertSeconds({ seconds })
      await Effect.runPromise(services(seconds))
    },
    token: (token) => run(Tokens.use((tokens) => tokens.create(token))),
    tick: async ({ seconds }) => {
      assertSeconds({ seconds })
      return run(Background.use((background) => background.tick(seconds)))
    },
    dispose,
    [Symbol.asyncDispose]: () => dispose({ drainSeconds: USING_DRAIN_SECONDS }),
  }
}

/** Checks a time by its value alone: a host may pass these methods as callbacks, with arguments of others. */
const assertSeconds = (given: Readonly<Record<string, number>>, max = Infinity) => {
  for (const [option, value] of Object.entries(given)) {
    if (Number.isFinite(value) && value >= 0 && value <= max) continue
    const accepted = max === Infinity ? "a number of seconds, 0 or more" : `a number from 0 to ${max}`
    throw InvalidOptions.of([{ option, reason: `must be ${accepted}, not ${shown(value)}` }])
  }
}

const EXAMPLE = "such as Organizations.use((organizations) => organizations.list())"

/** Frameworks and other realms have classes of their own. */
const isRequest = (value: unknown) =>
  typeof value === "object" && value !== null && "url" in value && "method" in value && "headers" in value

const slow = (seconds: number) =>
  new NotReady({ reason: "unreachable", message: `the database did not open within ${seconds} s` })

const unreachable = new NotReady({ reason: "unreachable", message: "the database is unreachable; try again shortly" })

const unusable = new NotReady({ reason: "unusable", message: "the service did not start; its log says why" })

/** The message of an attempt may name hosts, so it reaches the log and `ready`, but no caller. */
const toCaller = (cause: Cause.Cause<NotReady>) => {
  const error = Cause.squash(cause)
  return error instanceof NotReady && error.reason === "unusable" ? unusable : unreachable
}

const refuse = ({ message }: NotReady, request: Request, telemetry: Context.Context<never>) =>
  HttpEffect.toWebHandlerWith<never, HttpServerRequest>(telemetry)(
    envelope(Effect.fail(new DatabaseUnavailable({ message }))),
  )(request)
