import type { Configuration } from "../../configuration/configuration.ts"
import { serving } from "../../serving/address.ts"
import { type Check, ok, warning } from "./checks.ts"

/** Whether other machines may call while no public address is set: links in replies then do not work for them. */
export const lacksBaseUrl = ({ host, publicUrl }: Pick<Configuration, "host" | "publicUrl">): boolean =>
  publicUrl === undefined && !/^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host)

export const adviceOn = (url: string): string =>
  `links in replies start with ${url}, which other machines cannot open: set SIGHTLINE_BASE_URL to the address that callers use, such as https://api.example.com`

export const checkBaseUrl = (settings: Configuration): Check => {
  const { url } = serving(settings.host, settings.port, settings.basePath)
  const start = settings.publicUrl ?? (settings.port === 0 ? "the address that the server listens on" : url)
  return lacksBaseUrl(settings) ? warning("links", adviceOn(start)) : ok("links", `start with ${start}`)
}
