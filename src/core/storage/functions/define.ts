/** A function's current text: `head` is its name with its parameters, `text` the rest of `create function`. */
export interface SqlFunction {
  readonly head: string
  readonly text: string
  /** The text on Citus, if it needs another. */
  readonly onCitus: string
  /** Only other functions call it. */
  readonly isInternal: boolean
}

export const define = (head: string, text: string, onCitus = text): SqlFunction => ({
  head,
  text,
  onCitus,
  isInternal: false,
})
export const defineInternal = (head: string, text: string): SqlFunction => ({ ...define(head, text), isInternal: true })

/** Replaces the function, even if its return type changed. Only the application may call it. */
export const recreate = ({ head, text, isInternal }: SqlFunction): ReadonlyArray<string> => [
  `drop function if exists ${head}`,
  `create function ${head} ${text}`,
  `revoke all on function ${head} from public`,
  ...(isInternal ? [] : [`grant execute on function ${head} to sightline_app`]),
]
