/** Whether a `Host` is a name of this machine. A name that another site points here is not. */
export const isLoopback = (host: string | undefined): boolean =>
  /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host ?? "")
