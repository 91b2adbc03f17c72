import { useEffect, useRef, useState } from "preact/hooks"
import { Icon } from "./icons.tsx"

/** Joins letters of one stroke. A search that a later letter replaces is cancelled, so a longer pause would only delay the last one. */
const TYPING_MS = 40

/** Searches while the reader types. */
export const Search = ({
  value,
  label,
  onSearch,
}: {
  readonly value: string
  readonly label: string
  readonly onSearch: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  /** Searches of this field that have not come back as `value`: the reader types on meanwhile. */
  const sent = useRef<Array<string>>([])
  useEffect(() => {
    const at = sent.current.indexOf(value)
    if (at === -1) setText(value)
    else sent.current.splice(0, at + 1)
  }, [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      sent.current.push(text.trim())
      onSearch(text.trim())
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  )
}
