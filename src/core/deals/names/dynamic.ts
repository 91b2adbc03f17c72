import { foldWithoutSpaces } from "../../common/fold.ts"

export interface Named {
  readonly id: string
  readonly name: string
}

/** Finds a metric or answer by its exact id, else by its name, ignoring case and spaces, else by its id, ignoring case. */
export const findByIdOrName = (all: ReadonlyArray<Named>, name: string): Named | undefined =>
  all.find(({ id }) => id === name) ??
  all.find((each) => foldWithoutSpaces(each.name) === foldWithoutSpaces(name)) ??
  all.find(({ id }) => id.toLowerCase() === name.toLowerCase())
