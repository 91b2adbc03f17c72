import { Webhook } from "standardwebhooks"

/** The headers of the Standard Webhooks specification: one signature for each live secret. `timestamp` in Unix seconds. */
export const signatureHeaders = (id: string, timestamp: number, body: string, secrets: ReadonlyArray<string>) => {
  const date = new Date(timestamp * 1000)
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, date, body)).join(" "),
  }
}

/** Whether the headers of a delivery sign its body with this secret, at most five minutes ago. */
export const isGenuine = (secret: string, headers: Readonly<Record<string, string>>, body: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}
