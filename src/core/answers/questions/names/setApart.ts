import { EXCLUDES } from "../words/denial.ts"

interface Named {
  readonly kind: string
}

const SETS_APART = new RegExp(`^(?:${EXCLUDES})`, "u")
/** "What share is outside DACH", "comes from outside DACH". */
const IS_BEFORE = /(?<!\p{L})(?:is|are|was|were|from|goes|go|lies|lie|sits?)\s+$/u

/** Whether words that exclude a name narrow the whole question: "excluding renewals" does, "are not renewals" does not. */
export const setsApart = (before: string, not: RegExpExecArray | null, notAfter: RegExpExecArray | null): boolean =>
  notAfter !== null || (not !== null && SETS_APART.test(not[0]) && !IS_BEFORE.test(before.slice(0, not.index)))

/** Whether a share is of a whole without this name: "in Negotiation, excluding renewals". */
export const isApart = (
  { isSetApart, kind }: Named & { readonly isSetApart?: true },
  whole: { readonly names: ReadonlyArray<Named> } | undefined,
): boolean => isSetApart === true && whole?.names.every((each) => each.kind !== kind) !== false
