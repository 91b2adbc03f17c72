export type StageCategory = "open" | "won" | "lost"

export interface StageReading {
  readonly category: StageCategory
  /** `none`: nothing in the name says so, or it says both. */
  readonly by: "words" | "none"
}

/** Words as CRMs and sales teams write them: English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian, Polish, Czech, Russian, Japanese. */
const WON = words(
  "won closedwon gewonnen ganado ganada ganados ganadas gagné gagnée gagnés gagnées vinto vinta vinte ganho ganha vunnen vunnet vundet vunnit wygrana wygrane wygrany wygrano vyhrano vyhrana vyhrany выиграна выиграно выигран выиграли",
)
const LOST = words(
  "lost closedlost verloren perdido perdida perdidos perdidas perdu perdue perdus perdues perso persa förlorad förlorat förlorade tapt tabt mistet przegrana przegrane przegrany przegrano prohrano prohrana prohrany проиграна проиграно проигран проиграли",
)
/** Whole names. As parts of names they say less: "win plan" is open. */
const WON_NAMES = words("win wins closedwin closewon")
const LOST_NAMES = words("loss losses closedloss closelost lose")
/** People leave accents out. NFC puts what is no accent together again, such as Korean syllables. */
function withoutAccents(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
}
const CJK_WON = /成約|受注|赢单|赢得|성사/
const CJK_LOST = /失注|输单|丢单|실패/

/** Words of stages that a deal passes through. */
const OPEN = words(
  "open offen ouvert ouverte abierto abierta aperto aperta aberto aberta new neu nouveau nuevo nuovo novo lead leads prospect prospecting prospektion prospección prospection " +
    "qualification qualify qualified qualifying qualifizierung qualifiziert qualifié calificación calificado discovery analysis analyse needs demo presentation präsentation présentation presentación evaluation evaluating evaluierung évaluation evaluación " +
    "pilot poc trial proof proposal quote quotation offer angebot proposition propuesta devis presupuesto proposta preventivo offerta negotiation negotiations negotiating verhandlung verhandeln négociation negociación negociação trattativa onderhandeling " +
    "review commit contract contracting vertrag contrat contrato legal procurement pending scheduled appointment meeting decision termin engaged engaging contacted contact kontakt nurture nurturing developing development identified shortlist shortlisted forecast upside pipeline verbal " +
    "appointmentscheduled qualifiedtobuy presentationscheduled decisionmakerboughtin contractsent perception value stakeholder technical validation",
)

/** Negations that stand apart, and prefixes that negate. */
const NEGATIONS = words(
  "not no non never nicht kein keine pas jamais nunca não nao niet inte ikke ej nie не without ohne sin sans un",
)
/** Words with which a win is not yet one: "Won - pending signature". */
const NOT_YET = words("pending almost nearly likely expected")
const NEGATED = /^(?:un|non|in|not)(?:won|gewonnen|lost|verloren|vinto)$/

function words(text: string): ReadonlySet<string> {
  return new Set(withoutAccents(text).split(" "))
}

/** How many words before "lost" a negation may stand: "not yet lost". */
const NEGATION_REACH = 2

/**
 * Guesses from a stage's name whether it is won or lost. A negation, words of both, or no word at all leave it open with
 * `by: "none"`: a wrong guess would change every win rate. A negation anywhere spoils a win; a loss only if it comes before
 * the word, since "Closed Lost - No Decision" is lost.
 */
export const readStage = (name: string): StageReading => {
  const text = withoutAccents(name.normalize("NFKC").toLowerCase())
  const tokens = text.split(/[^\p{L}\p{M}]+/u).filter((token) => token !== "")
  const joined = tokens.join("")
  const has = (set: ReadonlySet<string>) => tokens.some((token) => set.has(token))
  const won = has(WON) || WON.has(joined) || WON_NAMES.has(joined) || CJK_WON.test(text)
  const lost = has(LOST) || LOST.has(joined) || LOST_NAMES.has(joined) || CJK_LOST.test(text)
  const beforeLost = tokens.findIndex((token) => LOST.has(token))
  const isNegated =
    /\bwon['’]t\b/.test(text) ||
    tokens.some((token) => NEGATED.test(token) || (won && NOT_YET.has(token))) ||
    (won ? tokens : tokens.slice(Math.max(0, beforeLost - NEGATION_REACH), Math.max(0, beforeLost))).some((token) =>
      NEGATIONS.has(token),
    )
  if (won !== lost && !isNegated) return { category: won ? "won" : "lost", by: "words" }
  return { category: "open", by: !won && !lost && has(OPEN) && !has(NEGATIONS) ? "words" : "none" }
}
