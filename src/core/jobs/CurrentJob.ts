import * as Context from "effect/Context"

/** The job that a worker runs, for the log. */
export const CurrentJob = Context.Reference<
  | {
      readonly id: string
      readonly kind: string
      readonly organization: string
      readonly attempt: number
    }
  | undefined
>("sightline/jobs/CurrentJob", { defaultValue: () => undefined })
