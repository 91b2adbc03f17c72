/** The present text of a function: `head` is its name with its parameters, `text` the rest of `create function`. */
export interface SqlFunction {
  readonly head: string
  readonly text: string
  /** Called by other functions alone. */
  readonly isInternal: boolean
}

export const define = (head: string, text: string): SqlFunction => ({ head, text, isInternal: false })
export const defineInternal = (head: string, text: string): SqlFunction => ({ head, text, isInternal: true })

/** Replaces the function by its present text, whatever it returned before. Nobody but the application may call it. */
export const recreate = ({ head, text, isInternal }: SqlFunction): ReadonlyArray<string> => [
  `drop function if exists ${head}`,
  `create function ${head} ${text}`,
  `revoke all on function ${head} from public`,
  ...(isInternal ? [] : [`grant execute on function ${head} to sightline_app`]),
]
