import { counted } from "./counted/index.ts"
import { work } from "./work/index.ts"

/**
 * `work` is to be read and worked with. Of `counted` only the figures are read, so that they say how questions fare that nobody
 * tuned for. A question went to one of them at random, within its type.
 */
export const HALVES = { work, counted } as const
export type Half = keyof typeof HALVES
