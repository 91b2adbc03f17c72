/** The address of a one-time link. The token is in the fragment, which browsers send to no server and no log keeps. */
export const signInUrl = (baseUrl: string, token: string): string => `${baseUrl}/sign-in#${token}`
