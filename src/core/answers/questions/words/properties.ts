import type { CrmFilter, Operator } from "../../../deals/filters/crm.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import { parseAmount, BOUND_WORDS, DIGITS } from "./amounts.ts"
import { phrase } from "./lexicon.ts"

/** A property of deals or accounts that comes from a CRM. */
export interface Property {
  readonly id: string
  readonly crm: string
  readonly object: "deal" | "account"
  readonly type: "text" | "number" | "boolean" | "date"
  /** The label and the id as words, in lower case. */
  readonly labels: readonly [string, ...ReadonlyArray<string>]
  /** Those of its values that the question contains. */
  readonly values: ReadonlyArray<string>
  /** Values that a question names without the property, for nothing else explains their words. */
  readonly alone: ReadonlyArray<string>
}

type Filters = Readonly<Partial<Record<"crm_filters" | "crm_account_filters", ReadonlyArray<CrmFilter>>>>
interface Group {
  readonly dimension: `crm_${string}`
  readonly index: number
}

const escape = (text: string) => text.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const dimensionOf = ({ id, crm, object }: Property): `crm_${string}` =>
  object === "deal" ? `crm_${id}` : `crm_${crm}_account_${id}`

const BEFORE = String.raw`(?:(?:with|whose|where|in|of|from|through|via|the|an?) )*`
const BY = String.raw`(?:(?:by|per|for each|for every|across|which|what)(?: the)?)?`
const NOT = String.raw`(?:(not|except(?: for)?|excluding|other than|without) (?:(?:in|from|of) )?)?`
const OF_ACCOUNTS = String.raw`(?:(?:with|at|in|from|for) (?:accounts|customers|clients|companies) )?(?:(?:of|with|that have|having) )?`

/** "Account tier" and "tier" for the tier of an account. */
const readName = ({ labels, object }: Property): string =>
  String.raw`(?:(?:${object === "deal" ? "deal" : "account|customer|client"}) )?(?:${labels.map(escape).join("|")})`

/** "Employees" for "employee count", besides the name itself. */
const writePattern = (property: Property): string => {
  const nouns = property.labels.flatMap((label) => {
    const counted = /^(.+?)s? (?:count|number)$|^number of (.+?)s?$/.exec(label)
    const noun = counted?.[1] ?? counted?.[2]
    return noun === undefined ? [] : [`${escape(noun)}s`]
  })
  return [`${readName(property)}s?`, ...nouns].join("|")
}

/** Takes the values of a text property: "lead source Inbound", "Inbound as lead source", "inbound leads", "partner-sourced". */
const takeValues = (reader: QuestionReader, property: Property) => {
  const name = readName(property)
  const words = [...new Set(property.labels.flatMap((label) => label.split(" ")))].map(escape).join("|")
  // "Inbound leads" and "the Strategic tier" say words of the label after the value.
  const rest = String.raw`(?:[- ](?:${words})(?:s|d|ed)?)`
  return property.values
    .toSorted((a, b) => b.length - a.length)
    .flatMap((value) => {
      // "Deals from events" have the lead source Event.
      const said = `${escape(value)}s?`
      const isAlone = property.alone.includes(value)
      const found = reader.take(
        phrase(
          `${BEFORE}${NOT}${BEFORE}(?:${name}s?(?: (?:is|was|of|equals|=))? ${said}|${said}${rest}${isAlone ? "*" : "+"})`,
        ),
      )
      return found === undefined ? [] : [{ value, isNot: found[1] !== undefined, index: found.index }]
    })
}

const NUMBER_BOUNDS: ReadonlyArray<readonly [Operator, string]> = [
  ["is greater than or equal to", BOUND_WORDS.from],
  ["is less than or equal to", BOUND_WORDS.upTo],
  ["is greater than", BOUND_WORDS.above],
  ["is less than", BOUND_WORDS.below],
]

/** Takes "more than 1,000 employees" and "employee count above 1,000". */
const takeBounds = (reader: QuestionReader, property: Property) =>
  NUMBER_BOUNDS.flatMap(([operator, bound]) => {
    const words = writePattern(property)
    const before = reader.take(phrase(String.raw`${OF_ACCOUNTS}(?:${bound}) ${DIGITS} (?:${words})`))
    const found =
      before ?? reader.take(phrase(String.raw`${OF_ACCOUNTS}(?:${words})(?: (?:is|of))? (?:${bound}) ${DIGITS}`))
    return found === undefined ? [] : [{ operator, value: parseAmount(found[1], found[2]) }]
  })

/** Takes "with a security review", "the security review is not done", "reference customers". */
const takeTruth = (reader: QuestionReader, property: Property): boolean | undefined => {
  const name = readName(property)
  const no = reader.take(
    phrase(
      String.raw`(?:without|with no|no|lacking|missing)(?: an?| the| any)? ${name}s?|(?:the )?${name} (?:is |was )?(?:not (?:yet )?(?:done|complete|completed|passed|finished|true|set)|missing|false|pending)`,
    ),
  )
  if (no !== undefined) return false
  const yes = reader.take(
    phrase(
      String.raw`(?:where |whose )?(?:the |an? )?${name} (?:is |was |has been )?(?:done|complete|completed|passed|finished|true|set)|(?:with|after|had|have|has)(?: an?| the| their) ${name}|${name}s`,
    ),
  )
  return yes === undefined ? undefined : true
}

/** Takes conditions on properties ("forecast category Commit", "more than 1,000 employees") and groups by them ("by lead source"). */
export const takeProperties = (reader: QuestionReader, properties: ReadonlyArray<Property>) => {
  const filters: Record<"deal" | "account", Array<CrmFilter>> = { deal: [], account: [] }
  const groups: Array<Group> = []
  for (const property of properties) {
    const { id, object, type } = property
    const add = (operator: Operator, value: string | number | boolean) =>
      filters[object].push({ property: id, operator, value })
    const bounds = type === "number" ? takeBounds(reader, property) : []
    for (const { operator, value } of bounds) add(operator, value)
    const truth = type === "boolean" ? takeTruth(reader, property) : undefined
    if (truth !== undefined) add("is", truth)
    const values = type === "text" ? takeValues(reader, property) : []
    const [first, second] = values
    // No filter has two values of a property, so a question that names two gets a row for each value.
    if (first !== undefined && second !== undefined)
      groups.push({ dimension: dimensionOf(property), index: first.index })
    else if (first !== undefined) add(first.isNot ? "is not" : "is", first.value)
    if (bounds.length > 0 || truth !== undefined || first !== undefined || type === "number" || type === "date")
      continue
    const by = type === "boolean" ? "(?:by|per|for each)" : BY
    const found = reader.take(phrase(`${by} ?(?:${readName(property)})s?`))
    if (found !== undefined) groups.push({ dimension: dimensionOf(property), index: found.index })
  }
  const conditions: Filters = {
    ...(filters.deal.length > 0 && { crm_filters: filters.deal }),
    ...(filters.account.length > 0 && { crm_account_filters: filters.account }),
  }
  return { filters: conditions, groups }
}
