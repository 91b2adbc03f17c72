import { signal } from "@preact/signals"

interface Source {
  readonly url: string
  readonly name: string
}

/** The source that is open beside the page. */
export const source = signal<Source | undefined>(undefined)
