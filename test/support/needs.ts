/** Programs that `.ci/run` installs. In CI, a missing one fails the test instead of skipping it. */
const PROGRAMS = [
  "chromium",
  "ffmpeg and pocketsphinx",
  "pgbouncer",
  "promtool",
  "python3",
  "redis-server",
  "systemd-analyze",
  "tesseract",
] as const
/** Programs for `npm run test:all` alone, because they are large. */
const LARGE_PROGRAMS = ["LibreOffice"] as const
/** Public data sets next to the checkout, which the project does not ship. */
const DATA = ["shared/data/audio", "shared/data/crm", "shared/data/documents", "shared/data/retrieval"] as const
/** No registry has Citus: `TEST_CITUS_URL` names a coordinator. */
const ENGINES = ["a Citus cluster", "a program that starts Citus clusters"] as const
/** Rights that the operating system may deny. */
const RIGHTS = ["the right to make a network", "the right to mount a disk", "prlimit"] as const

export type Requirement =
  | (typeof PROGRAMS)[number]
  | (typeof LARGE_PROGRAMS)[number]
  | (typeof DATA)[number]
  | (typeof ENGINES)[number]
  | (typeof RIGHTS)[number]

declare module "vitest" {
  interface TaskMeta {
    /** The requirement that the machine lacks, which is why the test is skipped. */
    lacks?: Requirement
  }
}

/**
 * Options of a suite or test that needs more than npm packages. It is skipped if the requirement is missing, with the reason
 * in the report at the end of the run. A program missing in CI throws.
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
