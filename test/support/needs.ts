/** Programs that `.ci/run` installs: in CI their absence is a fault, not a reason to skip. */
const PROGRAMS = ["chromium", "ffmpeg and pocketsphinx", "python3", "redis-server"] as const
/** Public data sets beside the checkout, which the project does not ship. */
const DATA = ["shared/data/audio", "shared/data/crm", "shared/data/documents"] as const
/** What the operating system may withhold. */
const RIGHTS = ["the right to mount a disk", "prlimit"] as const

export type Requirement = (typeof PROGRAMS)[number] | (typeof DATA)[number] | (typeof RIGHTS)[number]

declare module "vitest" {
  interface TaskMeta {
    /** What the machine lacks, so that the test is skipped. */
    lacks?: Requirement
  }
}

/**
 * Options of a suite or test that needs more than npm's packages: skipped where it is absent, with the reason in the report that ends a
 * run. A program that is absent in CI throws.
 */
export const needs = (requirement: Requirement, present: boolean) => {
  if (present) return {}
  if (process.env["CI"] && PROGRAMS.some((program) => program === requirement)) {
    throw new Error(
      `${requirement} is not installed. .ci/run installs it: a suite that needs it may not be skipped in CI.`,
    )
  }
  return { skip: true, meta: { lacks: requirement } }
}
