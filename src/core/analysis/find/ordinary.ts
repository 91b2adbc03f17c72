import type { Word } from "./words.ts"

/** English words that companies also take as names. A name that is one of them counts only where the text uses it as a name. */
const ORDINARY = new Set(
  `access action alpha amber anchor apex apple arc arrow aspect asset atlas aurora axis balance base basis beacon beam bench bloom
  blue board bolt bond bridge bright bronze build canvas carbon cargo cedar central chain chart chorus circle clarity classic clear
  close cloud clover coast code comet compass concord copper coral core corner crest crisp crown crystal current cypress dash data
  delta diamond digest direct discover dock domain dot draft drift drive eagle early earth echo edge element elevate ember engage
  engine equity essence ether ever evolve exact express fable fast feather field fifth finder first flare fleet flint flow focus
  force forest forge form forward foundation frame fresh front frontier fuel fusion future gain garden gate gem genesis globe gold
  gong grace grain grand granite graph green grid ground group grove growth guide harbor harbour harmony harvest haven hawk hive
  horizon house hub hunter icon ideal impact indigo inner insight instant iris iron ivy jade jet journey key keystone lake lantern
  lark laser launch layer lead leaf legacy level light lighthouse lime linear link lion loop lotus lumen magnet maple mark marker
  market maven medal merit mesa metric milestone mint mirror mode momentum monday moon mosaic motion motive navigator nest network
  next node north notion nova oak oasis ocean olive omega onyx open optic optimal orange orbit order origin outlook outreach owl
  pace pacific palm panda panel parallel path pattern peak pearl pilot pine pinnacle pioneer pipeline pivot pixel planet platform
  point polaris portal power precision premier prime prism process pulse pure quarry quartz quest quick radar radius rally range
  rapid ray reach ready reef relay rely remedy ridge ring ripple rise river rock rocket root rose ruby sage sail sapphire scale
  scout sense sentinel sequence shift sierra signal silver simple single sky slack slate smart snap solar solid solo sonar sound
  source spark spectrum spike spiral spring sprout square stack stage star station stellar step sterling stone storm stream
  stride stripe strong summit sun surge swift switch table tandem target teal tempo terra thread thrive tide tiger titan token
  torch total touch tower trace track trail transit tree trek tribe trident trust turbo twin union unity upland valley value vantage
  vault vector velocity venture verge vertex vertical victory view village vision vista vital voice volt voyage wave west willow
  wind window wing wire wise wonder works zenith zone zoom`
    .split(/\s+/)
    .filter((word) => word !== ""),
)

/** Whether a name of one word is also an English word; two letters or fewer are as likely to mean something else. */
export const isOrdinary = (key: string): boolean => key.length <= 2 || ORDINARY.has(key)

const DETERMINER = new Set(
  "the a an our your my their his her its this that these those every each no any some another one".split(" "),
)
const BEFORE = new Set(
  `with from by use uses used using chose choose prefer prefers like likes than versus vs unlike left leaving tried trying at
  against over about evaluating evaluate evaluated considering consider met meet seen pick picked picking have has having had and or
  called mentioned is was`.split(/\s+/),
)
/** Words before `to`, where a company follows and not a verb. */
const BEFORE_TO = new Set(
  "talking talk talked speaking speak spoke compared compare switched switch switching moved moving leaning lean close come back next went going go lost lose losing similar".split(
    " ",
  ),
)
const AFTER = new Set(
  `is was has had came comes offered offers gave gives will would can could couldn't can't cannot did does didn't doesn't failed fails
  quoted quotes charges charged costs cost wants wanted says said told promised promises sent presented presents won lost looks looked
  already felt feels seems isn't wasn't won't runs showed shows needs took takes`.split(/\s+/),
)

/**
 * Whether the words around an ordinary word use it as a name. Where the text writes capitals, a name has one; in text without
 * capitals, such as from a recognizer, the words beside it decide.
 */
export const isUsedAsName = (words: ReadonlyArray<Word>, at: number, count: number, isCased: boolean): boolean => {
  const before = words[at - 1]?.key
  const after = words[at + count]?.key
  if (before !== undefined && DETERMINER.has(before)) return false
  const isCapital = /^\p{Lu}/u.test(words[at]!.raw)
  if (isCased && !isCapital) return false
  if (isCased && at > 0) return true
  const isPossessive = /['’]s$/.test(words[at + count - 1]!.raw)
  if (isPossessive || (after !== undefined && AFTER.has(after))) return true
  if (before === "to") return BEFORE_TO.has(words[at - 2]?.key ?? "")
  return before !== undefined && BEFORE.has(before)
}
