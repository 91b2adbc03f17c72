import { existsSync } from "node:fs"

/** Where a Chromium is, if one is. */
export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
)
