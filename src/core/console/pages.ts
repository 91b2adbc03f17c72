/** The paths of the console's pages. The server answers them with one page, whose router shows the rest. */
export const CONSOLE_PAGES = [
  "/",
  "/sign-in",
  "/deals",
  "/deals/:id",
  "/ask",
  "/reports",
  "/reports/boards",
  "/reports/boards/:id",
  "/review",
  "/competitors",
  "/competitors/:id",
  "/features",
  "/features/:id",
  "/library",
  "/settings",
  "/settings/:part",
] as const

/** A file of the console: its name has a hash of its content. */
export const CONSOLE_FILE = "/console/:file"
export const CONSOLE_SESSION = "/console/session"
/** Sends the browser to the OpenID provider. */
export const OPENID = "/console/openid"
/** The provider sends the browser back here. */
export const OPENID_CALLBACK = "/console/openid/callback"
/** The organizations that the person may enter, and the entry into one. */
export const OPENID_CHOICE = "/console/openid/choice"

/** Only script of our own origin can send this header, so a forged request lacks it. */
export const CONSOLE_HEADER = "x-sightline-console"
