/** What became of an attempt. */
export type Outcome =
  | { readonly _tag: "Delivered"; readonly status: number }
  /** The address says that it wants no more. */
  | { readonly _tag: "Unwanted"; readonly status: number }
  | { readonly _tag: "Failed"; readonly status?: number; readonly error: string }
  /** Its secret cannot be read: the service's own secret is another than when it was made. */
  | { readonly _tag: "Unsigned" }

export const outcomeOf = ({ status }: { readonly status: number }): Outcome => {
  if (status >= 200 && status < 300) return { _tag: "Delivered", status }
  if (status === 410) return { _tag: "Unwanted", status }
  const redirected = status >= 300 && status < 400 ? "; redirects are not followed" : ""
  return { _tag: "Failed", status, error: `the address answered with status ${status}${redirected}` }
}
