import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { WORK_CLASSES, type WorkClass } from "./Permits.ts"

/** The class of this fiber's work in the database. Set it with `asHeavy` or `asBackground`, around a whole request or job. */
export const CurrentClass = Context.Reference<WorkClass>("sightline/storage/CurrentClass", {
  defaultValue: () => "short",
})

/** A class only rises: a report that a job asks for stays in the background. */
const asClass =
  (workClass: WorkClass) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      WORK_CLASSES.indexOf(fiber.getRef(CurrentClass)) >= WORK_CLASSES.indexOf(workClass)
        ? effect
        : Effect.provideService(effect, CurrentClass, workClass),
    )

export const asHeavy = asClass("heavy")
export const asBackground = asClass("background")
