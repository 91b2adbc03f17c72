/** The path in front of every page and request; empty at the root. The server writes it into the page. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="sightline-base"]')?.content ?? ""

/** The name of the OpenID provider; empty if the server has none. The server writes it into the page. */
export const PROVIDER = document.querySelector<HTMLMetaElement>('meta[name="sightline-openid"]')?.content ?? ""

export const hrefOf = (path: string): string => (BASE === "" ? path : path === "/" ? BASE : `${BASE}${path}`)
