const make = (source: string) => new RegExp(String.raw`^\W*${source}$`, "iu")

/** Ways to ask what buyers say of something, in German, French and Spanish. */
const ASKS: ReadonlyArray<RegExp> = [
  make(
    String.raw`was (?:sagen|meinen|denken|erz(?:ä|ae)hlen)(?: denn)? (?:die |unsere )?(?:kund(?:en|innen)|k(?:ä|ae)ufer|interessenten) (?:über|ueber|zu[mr]?|von) (?:den |die |das |dem |der |unsere[nmr]? )?(?<thing>.+)`,
  ),
  make(
    String.raw`que (?:disent|pensent) (?:les |nos )?(?:clients|acheteurs|prospects) (?:sur |du |des |de )(?:la |le |les |l['’]|notre |nos )?(?<thing>.+)`,
  ),
  make(
    String.raw`qu[ée] (?:dicen|opinan|piensan) (?:los |nuestros )?(?:clientes|compradores) (?:sobre |acerca del? |del? )(?:el |la |los |las |nuestr[oa]s? )?(?<thing>.+)`,
  ),
]

const THINGS: ReadonlyArray<readonly [thing: RegExp, english: string]> = [
  [/^(?:preise?n?|prix|tarifs?|precios?)$/iu, "price"],
  [/^(?:sicherheit|s[ée]curit[ée]|seguridad)$/iu, "security"],
  [/^(?:(?:kunden)?dienst|kundenservice|assistance|soporte|atenci[óo]n)$/iu, "support"],
  [/^(?:einf[üu]hrung|d[ée]ploiement|despliegue|implantaci[óo]n)$/iu, "rollout"],
  [/^(?:oberfl[äa]che|bedienung|interface|interfaz)$/iu, "interface"],
]

/** Puts a question about what buyers say into English; leaves any other as it is. */
export const putInEnglish = (question: string): string => {
  for (const pattern of ASKS) {
    const thing = pattern.exec(question)?.groups?.["thing"]?.trim()
    if (thing !== undefined)
      return `what do customers say about ${THINGS.find(([each]) => each.test(thing))?.[1] ?? thing}`
  }
  return question
}
