export const NAMES =
  "Alvarez & Sons,Borealis Energy,Cedar Point Hospital,Dunmore,Eastern Freight Co.,Fjord Seafood,Grange Water Board,Halden,Ibis Printing,Juno".split(
    ",",
  )
export const GOODS =
  "Installation of the main unit,Cable duct,On-site training,Annual support,Spare filter set,Travel,Calibration,Safety inspection,Wall bracket,Data migration".split(
    ",",
  )
const WORDS =
  "the work is done by two fitters on one day and includes all parts which the operator needs to run the plant until its next regular service in spring".split(
    " ",
  )
export const ACCOUNTS =
  "Cash and cash equivalents,Trade receivables,Inventories,Other current assets,Property and equipment,Goodwill,Deferred tax,Trade payables,Borrowings,Retained earnings".split(
    ",",
  )
export const METHODS = "Baseline,GRU-2,Graph-Net,Ours (small),Ours (large),BERT,k-NN,Random forest,SVM,LSTM".split(",")
export const METRICS = "Precision,Recall,F1,Accuracy,AUC,Params,Time (s),Train loss,BLEU".split(",")
export const PEOPLE =
  "Maria Keller,Jonas Berg,Aiko Tanaka,Samuel Okafor,Lena Fischer,Pedro Silva,Ruth Cohen,Ivan Petrov".split(",")
export const ROLES = "Project manager,Site engineer,Head of Purchasing,Legal,Controller,Quality,Accounts payable".split(
  ",",
)

/** Picks what a page shows: the same random numbers pick the same. */
export const tools = (random: () => number) => {
  const below = (most: number) => Math.floor(random() * most)
  const pick = <A>(items: ReadonlyArray<A>) => items[below(items.length)]!
  const take = <A>(items: ReadonlyArray<A>, count: number) => {
    const start = below(items.length)
    return Array.from({ length: count }, (_, at) => items[(start + at) % items.length]!)
  }
  const times = <A>(least: number, more: number, make: (at: number) => A) =>
    Array.from({ length: least + below(more) }, (_, at) => make(at))
  const sentence = (least: number, more: number) => {
    const words = take(WORDS, least + below(more)).join(" ")
    return words[0]!.toUpperCase() + words.slice(1)
  }
  const amount = () => `${(below(90_000) + 10).toLocaleString("en")}.${10 + below(90)}`
  const whole = () => (below(900_000) + 10).toLocaleString("en")
  const prose = (count: number) => `<p>${Array.from({ length: count }, () => `${sentence(12, 14)}.`).join(" ")}</p>`
  return { below, pick, take, times, sentence, amount, whole, prose, chance: (share: number) => random() < share }
}

export type Tools = ReturnType<typeof tools>
