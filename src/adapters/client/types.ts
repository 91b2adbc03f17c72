import type { Contract } from "./contract/contract.ts"

export type GroupName = keyof Contract
export type EndpointOf<G extends GroupName> = keyof Contract[G] & string

/** The method and path of every endpoint. */
export type Routes = { readonly [G in GroupName]: { readonly [E in EndpointOf<G>]: `${string} /${string}` } }

/** Path parameters, query and JSON body of an endpoint, as one object. */
export type Input<G extends GroupName, E extends EndpointOf<G>> = Contract[G][E] extends { readonly input: infer In }
  ? In
  : never

/** The JSON reply of an endpoint; void if it is empty. */
export type Output<G extends GroupName, E extends EndpointOf<G>> = Contract[G][E] extends { readonly output: infer Out }
  ? Out
  : never

/** Shows the fields of an intersection as one object. */
export type Flat<A> = { [K in keyof A]: A[K] }
export type DistributiveOmit<A, K extends PropertyKey> = A extends unknown ? Flat<Omit<A, K>> : never
