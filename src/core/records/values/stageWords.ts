import { withoutAccents } from "../../common/withoutAccents.ts"

export type StageCategory = "open" | "won" | "lost"

export interface StageReading {
  readonly category: StageCategory
  /** `none`: nothing in the name says so, or it says both. */
  readonly by: "words" | "none"
}

/** The meaning that columns of yes and no give the deals of a stage. `mixed`: different things; `not_won`: they are open or lost. */
export type StageFlag = StageCategory | "not_won" | "mixed"

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
/** Words with which an end is not yet one: "Won - pending signature", "almost lost". */
const NOT_YET = words("pending almost nearly likely expected presque casi quasi")
/** Words that deny a win: "Won by competitor", "Won - cancelled", "Lost - reopened". */
const NOT_OURS = words(
  "competitor competitors competition rival rivals wettbewerb wettbewerber wettbewerbs mitbewerber konkurrent konkurrenz concurrent concurrence competidor competencia concorrente concorrenza concurrentie " +
    "cancelled canceled cancelado cancelada storniert stornierung annulé annulée annullato churned refunded reversed withdrawn terminated gekündigt",
)
const REOPENED = words("reopened reopen wiedereröffnet réouvert reabierto riaperto")
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
  const near = won ? tokens : tokens.slice(Math.max(0, beforeLost - NEGATION_REACH), Math.max(0, beforeLost))
  const isNegated =
    /\bwon['’]t\b/.test(text) ||
    text.trimEnd().endsWith("?") ||
    has(REOPENED) ||
    tokens.some((token) => NEGATED.test(token) || (won && NOT_OURS.has(token))) ||
    near.some((token) => NEGATIONS.has(token) || NOT_YET.has(token))
  if (won !== lost && !isNegated) return { category: won ? "won" : "lost", by: "words" }
  return { category: "open", by: !won && !lost && has(OPEN) && !has(NEGATIONS) ? "words" : "none" }
}

/** A new stage's category by its name and the flags of its deals, and why it may be wrong. */
export interface JudgedStage {
  readonly category: StageCategory
  readonly by: "words" | "flags" | "none"
  readonly doubt?: string
}

/**
 * Judges a stage by its name and the flags of its deals. Flags decide over a name that says nothing, or only that a deal is on its way. A
 * stage is open if its name says that it is won or lost, and the flags say otherwise.
 */
export const judgeStage = (name: string, flag: StageFlag | undefined): JudgedStage => {
  const read = readStage(name)
  const { category, by } = read
  if (flag === undefined || (by === "words" && flag === category)) return read
  const isEnd = by === "words" && category !== "open"
  if (flag === "not_won" && (category !== "won" || !isEnd)) return read
  if (flag === "mixed") {
    return { ...read, doubt: "columns of yes and no say different things of its deals" }
  }
  const said = flag === "not_won" ? "is not won" : `is ${flag}`
  const doubt = `its name says that it is ${category}, and a column that it ${said}`
  if (isEnd) return { category: "open", by: "none", doubt }
  return { category: flag as StageCategory, by: "flags", ...(by === "words" && { doubt }) }
}
