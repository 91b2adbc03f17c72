import type { Random } from "../../../src/adapters/cli/demo/random.ts"

/** One letter wrong, as a recognizer hears: doubled, dropped, or changed for a similar one. */
const slip = (word: string, random: Random): string => {
  const at = random.int(1, word.length - 2)
  const similar: Readonly<Record<string, string>> = {
    a: "e",
    e: "i",
    i: "e",
    o: "u",
    u: "o",
    c: "k",
    k: "c",
    s: "z",
    z: "s",
    t: "d",
    d: "t",
    b: "p",
    p: "b",
    v: "w",
    w: "v",
    n: "m",
    m: "n",
  }
  switch (random.int(0, 2)) {
    case 0:
      return word.slice(0, at) + word.charAt(at) + word.slice(at)
    case 1:
      return word.slice(0, at) + word.slice(at + 1)
    default:
      return word.slice(0, at) + (similar[word.charAt(at)] ?? word.charAt(at)) + word.slice(at + 1)
  }
}

const FILLERS = ["um,", "you know,", "I mean,"]

/**
 * A sentence as a recognizer writes it. `slips`: a long capitalized word in four has a letter wrong, some fillers. `bare`: also without
 * capitals, commas and full stops. Marks in brackets stay.
 */
export const garble = (text: string, noise: "none" | "slips" | "bare", random: Random): string => {
  if (noise === "none") return text
  const words = text.split(" ").map((word, at) => {
    const letters = word.replaceAll(/[^\p{L}]/gu, "")
    const isName = at > 0 && letters.length >= 6 && /^\p{Lu}/u.test(word)
    return isName && random.chance(0.25) && word === letters ? slip(word, random) : word
  })
  if (random.chance(0.15)) words.splice(random.int(1, words.length), 0, random.pick(FILLERS))
  const heard = words.join(" ")
  return noise === "slips" ? heard : heard.toLowerCase().replaceAll(/[,.!]/g, "")
}
