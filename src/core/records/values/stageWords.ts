import { withoutAccents } from "../../common/withoutAccents.ts"

export type StageCategory = "open" | "won" | "lost"

export interface StageReading {
  readonly category: StageCategory
  /** `none`: nothing in the name says so, or it says both. */
  readonly by: "words" | "none"
  /** Why the category may be wrong, although words of the name say it. */
  readonly doubt?: string
}

/** The meaning that columns of yes and no give the deals of a stage. `mixed`: different things; `not_won`: they are open or lost. */
export type StageFlag = StageCategory | "not_won" | "mixed"

/** Words as CRMs and sales teams write them: English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian, Polish, Czech, Russian, Japanese. */
const WON = words(
  "won closedwon gewonnen gewonnene gewonnener gewonnenes zuschlag ganado ganada ganados ganadas gagné gagnée gagnés gagnées vinto vinta vinte ganho ganha vunnen vunnet vundet vunnit wygrana wygrane wygrany wygrano vyhrano vyhrana vyhrany выиграна выиграно выигран выиграли",
)
const LOST = words(
  "lost closedlost verloren verlorene verlorener verlorenes perdido perdida perdidos perdidas perdu perdue perdus perdues perso persa förlorad förlorat förlorade tapt tabt mistet przegrana przegrane przegrany przegrano prohrano prohrana prohrany проиграна проиграно проигран проиграли",
)
/** Whole names. As parts of names they say less: "win plan" is open. */
const WON_NAMES = words("win wins closedwin closewon")
const LOST_NAMES = words("loss losses closedloss closelost lose")
/** Words of deals that have ended without a sale, although nobody is said to have lost them. */
const DROPPED = words(
  "disqualified dead abandoned cancelled canceled rejected declined withdrawn dropped killed " +
    "disqualifiziert abgelehnt verworfen abgebrochen storniert abgesagt absage zurückgezogen abandonné abandonnée annulé annulée refusé refusée rejeté rejetée disqualifié disqualifiée " +
    "abandonado abandonada cancelado cancelada rechazado rechazada descartado descartada descalificado descalificada desqualificado desqualificada rejeitado rejeitada recusado recusada " +
    "abbandonato abbandonata annullato annullata rifiutato rifiutata scartato scartata afgewezen geannuleerd",
)
const NO_DECISION =
  /^(?:closed\P{L}+)?(?:no decision|keine entscheidung|pas de decision|sin decision|sem decisao|nessuna decisione)(?: made)?$/u
/** Signatures, which end a deal if they are those of its contract. */
const SIGNED = words(
  "signed unterschrieben unterzeichnet beauftragt signé signée firmado firmada firmato firmata assinado assinada getekend ondertekend",
)
/** Words that a name may have beside a signature. A signed NDA or letter of intent is not a signed contract. */
const CONTRACT = words(
  "contract contracts deal agreement order po and fully closed vertrag auftrag und contrat et accord contrato acuerdo y contratto",
)
const CJK_WON = /成約|受注|赢单|赢得|성사/
const CJK_LOST = /失注|输单|丢单|실패/

/** Words of stages that a deal passes through. */
const OPEN = words(
  "open offen ouvert ouverte abierto abierta aperto aperta aberto aberta new neu nouveau nuevo nuovo novo lead leads prospect prospecting prospektion prospección prospection " +
    "qualification qualify qualified qualifying qualifizierung qualifiziert qualifié calificación calificado discovery analysis analyse needs demo presentation präsentation présentation presentación evaluation evaluating evaluierung évaluation evaluación " +
    "pilot poc trial proof proposal quote quotation offer angebot proposition propuesta devis presupuesto proposta preventivo offerta negotiation negotiations negotiating verhandlung verhandeln négociation negociación negociação trattativa onderhandeling " +
    "review commit contract contracting vertrag contrat contrato legal procurement pending scheduled appointment meeting decision termin engaged engaging contacted contact kontakt nurture nurturing developing development identified shortlist shortlisted forecast upside pipeline verbal " +
    "appointmentscheduled qualifiedtobuy presentationscheduled decisionmakerboughtin contractsent perception value stakeholder technical validation " +
    "hold onhold suspended paused stalled parked postponed deferred pausiert zurückgestellt verschoben pause attente reporté reportée pausa espera aplazado aplazada pospuesto pospuesta",
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
const negates = (token: string): boolean => NEGATIONS.has(token) || NOT_YET.has(token)
const wordsBefore = (tokens: ReadonlyArray<string>, at: number) =>
  tokens.slice(Math.max(0, at - NEGATION_REACH), Math.max(0, at))

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
  const near = won
    ? tokens
    : wordsBefore(
        tokens,
        tokens.findIndex((token) => LOST.has(token)),
      )
  const isNegated =
    /\bwon['’]t\b/.test(text) ||
    text.trimEnd().endsWith("?") ||
    has(REOPENED) ||
    tokens.some((token) => NEGATED.test(token) || (won && NOT_OURS.has(token))) ||
    near.some(negates)
  if (won !== lost && !isNegated) return { category: won ? "won" : "lost", by: "words" }
  if (won || lost) return { category: "open", by: "none" }
  return readEnd(tokens) ?? { category: "open", by: has(OPEN) && !has(NEGATIONS) ? "words" : "none" }
}

/** Reads the name of a stage in which a deal has ended, although it says neither won nor lost. */
const readEnd = (tokens: ReadonlyArray<string>): StageReading | undefined => {
  if (NO_DECISION.test(tokens.join(" "))) return { category: "lost", by: "words", doubt: WITHOUT_SALE }
  const dropped = tokens.findIndex((token) => DROPPED.has(token))
  if (dropped !== -1 && !wordsBefore(tokens, dropped).some(negates))
    return { category: "lost", by: "words", doubt: WITHOUT_SALE }
  const isSigned = tokens.some((token) => SIGNED.has(token))
  return isSigned && tokens.every((token) => SIGNED.has(token) || CONTRACT.has(token))
    ? { category: "won", by: "words", doubt: "its name says that a contract is signed" }
    : undefined
}

const WITHOUT_SALE = "its name says that the deal has ended, and not that it was won"

/** A new stage's category by its name and the flags of its deals, and why it may be wrong. */
export interface JudgedStage extends Omit<StageReading, "by"> {
  readonly by: StageReading["by"] | "flags"
}

/**
 * Judges a stage by its name and the flags of its deals. Flags decide over a name that says nothing, or only that a deal is on its way. A
 * stage is open if its name says that it is won or lost, and the flags say otherwise.
 */
export const judgeStage = (name: string, flag: StageFlag | undefined): JudgedStage => {
  const read = readStage(name)
  const { category, by } = read
  if (flag === undefined) return read
  if (by === "words" && flag === category) return { category, by: read.doubt === undefined ? by : "flags" }
  const isEnd = by === "words" && category !== "open"
  if (flag === "not_won" && (category !== "won" || !isEnd)) return read
  // A column that states the outcome wins over a word that may be an end.
  if (read.doubt !== undefined && flag !== "mixed" && flag !== "not_won") return { category: flag, by: "flags" }
  if (flag === "mixed") {
    return { ...read, doubt: "columns of yes and no say different things of its deals" }
  }
  const said = flag === "not_won" ? "is not won" : `is ${flag}`
  const doubt = `its name says that it is ${category}, and a column that it ${said}`
  if (isEnd) return { category: "open", by: "none", doubt }
  return { category: flag as StageCategory, by: "flags", ...(by === "words" && { doubt }) }
}
