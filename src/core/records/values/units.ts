import { normalizeDigits } from "../../common/raisedDigits.ts"
import { withoutAccents } from "../../common/withoutAccents.ts"

/**
 * Words and letters that multiply the number before them, without accents, points and the `s` of a plural. Unicode's compact numbers have
 * most of them, which a test compares; reading them from `Intl` takes a fifth of a second. Short ones are here only if they mean one thing.
 */
const WORDS: ReadonlyArray<readonly [factor: number, words: string]> = [
  [
    1e9,
    "b bi bn bln billion mrd mia mld mlr mlrd mljrd milliard milliarde milliarden milliarder milliards miliardo miliardi miliard miliarda miliarde miliardy miliardow bilhao bilhoes miljard miljarder miljardi miljardia miljards miljardit milijarda milijarde milijardi milijard milijardas milijardai miliar milyar δισ δισεκατομμυριο δισεκατομμυρια млрд миллиард миллиарда миллиардов мільярд мільярди мільярдів милиард милиарда अरब מיליארד مليار",
  ],
  [1e8, "億 亿 억"],
  [1e7, "cr crore करोड़ 千万"],
  [
    1e6,
    "m mi mm mn jt mio mill milj mln million millionen millioner millions millon millones milione milioni milion miliony milionow milionu milionov milioane milhao milhoes miljoen miljon miljoner miljoona miljoonaa miljons miljoni miljonit milijun milijuna milijon milijona milijonov milijonas milijonai milijonu millio milyon juta trieu εκ εκατομμυριο εκατομμυρια млн миллион миллиона миллионов мільион мільиони мільионів милион милиона מיליון مليون ملايين 百万",
  ],
  [1e5, "lakh lac लाख"],
  [1e4, "万 萬 만"],
  [
    1e3,
    "k tsd thsd thousand tausend mille milliers mila miles migliaia duizend tusen tusind tuhat tuhatta tuh tys tysiac tysiace tysiecy tis tisic tisice tisuca tisuce tisoc ezer mie mii bin tukst tukstantis tukstanciai tukstanciu tukstotis tukstosi ribu nghin χιλ χιλιαδα χιλιαδες тыс тысяча тысячи тысяч тис тисяча тисячі тисяч хил хиляди हज़ार אלף ألف آلاف 千 천",
  ],
  [1e2, "hundred"],
]
/** Words that mean different things to different countries, by the currency: "15 mil" is 15 thousand in Brazil. */
const OF_CURRENCIES: ReadonlyArray<readonly [word: string, factor: number, currencies: string]> = [
  ["mil", 1e3, "BRL MXN ARS CLP COP PEN UYU"],
  ["mil", 1e6, "CZK RON"],
  ["l", 1e5, "INR"],
]

const plain = (word: string): string =>
  withoutAccents(normalizeDigits(word).toLowerCase()).replaceAll(".", "").replaceAll(/\s+/g, " ").trim()

const FACTORS: ReadonlyMap<string, number> = new Map([
  ...WORDS.flatMap(([factor, words]) => words.split(" ").map((word) => [plain(word), factor] as const)),
  ["mil millones", 1e9],
])

/** The factor that a word after a number multiplies it by: `k`, `Mio.`, `lakhs`, `tys.`, `万`. Undefined without one clear meaning. */
export const factorOf = (word: string, currency?: string): number | undefined => {
  const text = plain(word)
  const local = OF_CURRENCIES.find(([each, , of]) => each === text && currency !== undefined && of.includes(currency))
  return local?.[1] ?? FACTORS.get(text) ?? FACTORS.get(text.replace(/(?<=\p{L}{2})s$/u, ""))
}
