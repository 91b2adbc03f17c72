import { useEffect, useState } from "preact/hooks"

const SETTLED_MS = 250

/** The value once it has not changed for a moment, and the one before until then. `key` says whether it changed. */
export const useSettled = <A>(value: A, key: string): A => {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    if (key === settled.key) return
    const timer = setTimeout(() => setSettled({ value, key }), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [key])
  return settled.value
}
