import { useEffect, useState } from "preact/hooks"
import { Icon } from "./icons.tsx"

const TYPING_MS = 150

/** Searches while the reader types, after a short pause. */
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
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
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
