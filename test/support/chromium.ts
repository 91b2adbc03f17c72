import { existsSync } from "node:fs"

/** The path of a Chromium, if one is installed. */
export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
)
