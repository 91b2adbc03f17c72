/** The result of an attempt. */
export type DeliveryOutcome =
  | { readonly _tag: "Delivered"; readonly status: number }
  /** The address replied 410 Gone. */
  | { readonly _tag: "Unwanted"; readonly status: number }
  | { readonly _tag: "Failed"; readonly status?: number; readonly error: string }
  /** This instance cannot open the webhook's secret, because it lacks the signing secret that sealed it. */
  | { readonly _tag: "Unsigned" }

export const toOutcome = ({ status }: { readonly status: number }): DeliveryOutcome => {
  if (status >= 200 && status < 300) return { _tag: "Delivered", status }
  if (status === 410) return { _tag: "Unwanted", status }
  const redirected = status >= 300 && status < 400 ? "; redirects are not followed" : ""
  return { _tag: "Failed", status, error: `the address replied with status ${status}${redirected}` }
}
