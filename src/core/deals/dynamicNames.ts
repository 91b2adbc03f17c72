export interface Named {
  readonly id: string
  readonly name: string
}

const normalize = (name: string) => name.toLowerCase().replaceAll(/\s+/g, "")

/** Finds a metric or answer by its exact id, else by its name, ignoring case and spaces, else by its id, ignoring case. */
export const findByIdOrName = (all: ReadonlyArray<Named>, name: string): Named | undefined =>
  all.find(({ id }) => id === name) ??
  all.find((each) => normalize(each.name) === normalize(name)) ??
  all.find(({ id }) => id.toLowerCase() === name.toLowerCase())
