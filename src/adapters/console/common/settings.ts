import { effect, signal } from "@preact/signals"

export type Language = "en" | "de"
export type Theme = "system" | "light" | "dark"

const stored = (name: string): string | null => {
  try {
    return localStorage.getItem(`sightline.${name}`)
  } catch {
    return null
  }
}

const store = (name: string, value: string) => {
  try {
    localStorage.setItem(`sightline.${name}`, value)
  } catch {
    // A browser may forbid storage; the choice then lasts until the page closes.
  }
}

export const language = signal<Language>(
  stored("language") === "de" || (stored("language") === null && navigator.language.startsWith("de")) ? "de" : "en",
)
const kept = stored("theme")
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "system")

effect(() => {
  document.documentElement.lang = language.value
  store("language", language.value)
})
effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme.value
  store("theme", theme.value)
})
