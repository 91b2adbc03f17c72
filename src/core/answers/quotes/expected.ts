/** The kind of thing that answers a question, if its words say so. */
export type Expected = "number" | "time" | "person" | "place" | "reason" | undefined

const KINDS: ReadonlyArray<readonly [kind: Expected, question: RegExp]> = [
  [
    "number",
    /\b(?:how (?:many|much|often|long|far|old|large|big|tall|high|fast)|what (?:percent|percentage|number|share|proportion|price|score|amount))\b/,
  ],
  [
    "time",
    /\b(?:when|(?:what|which|in what|in which) (?:year|date|day|month|century|decade|time|quarter)|how recently)\b/,
  ],
  ["person", /\b(?:who|whom|whose)\b/],
  ["place", /\b(?:where|(?:what|which) (?:city|country|state|town|region|continent|place|location))\b/],
  ["reason", /\b(?:why|what (?:reason|caused|led)|how come)\b/],
]

const SIGNS: Readonly<Record<NonNullable<Expected>, RegExp>> = {
  number:
    /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|twice|percent)\b/iu,
  time: /\b(?:1\d|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|century|yesterday|today|quarter|\d{1,2}:\d\d)\b/u,
  person: /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ \p{Lu}/u,
  place: /\b(?:in|at|near|to|from|of|on) (?:the )?\p{Lu}\p{Ll}/u,
  reason:
    /\b(?:because|due to|since|so that|in order to|result(?:ed|s|ing)?|cause[ds]?|led to|therefore|thus|reason)\b/i,
}

export const findExpected = (question: string): Expected => {
  const lower = question.toLowerCase()
  return KINDS.find(([, pattern]) => pattern.test(lower))?.[0]
}

export const containsExpected = (text: string, expected: Expected): boolean =>
  expected !== undefined && SIGNS[expected].test(text)
