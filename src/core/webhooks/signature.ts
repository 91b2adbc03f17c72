import { Webhook } from "standardwebhooks"

/** Makes the headers of the Standard Webhooks specification, with one signature per live secret. `timestamp` is in Unix seconds. */
export const signatureHeaders = (id: string, timestamp: number, body: string, secrets: ReadonlyArray<string>) => {
  const date = new Date(timestamp * 1000)
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, date, body)).join(" "),
  }
}

/** Checks that the headers sign the body with this secret, and that the timestamp is at most five minutes old. */
export const isGenuine = (secret: string, headers: Readonly<Record<string, string>>, body: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}
