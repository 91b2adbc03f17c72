/** The path in front of every page and request; empty at the root. The server writes it into the page. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="sightline-base"]')?.content ?? ""

export const hrefOf = (path: string): string => (BASE === "" ? path : path === "/" ? BASE : `${BASE}${path}`)
