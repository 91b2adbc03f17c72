import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { Api } from "../../core/server/api.ts"

// Everything here is a type, so the bundle of a client has no schema.

type Groups = (typeof Api)["groups"]
export type GroupName = keyof Groups
export type EndpointOf<G extends GroupName> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]
type Endpoint<G extends GroupName, E extends EndpointOf<G>> = HttpApiEndpoint.WithIdentifier<
  HttpApiGroup.Endpoints<Groups[G]>,
  E
>

/** The method and path of every endpoint. */
export type Routes = {
  readonly [G in GroupName]: {
    readonly [E in EndpointOf<G>]: Endpoint<G, E> extends {
      readonly method: infer Method extends string
      readonly path: `/api/v1${infer Path}`
    }
      ? `${Method} ${Path}`
      : never
  }
}

/** Path parameters, query and JSON body of an endpoint, as one object. */
export type Input<G extends GroupName, E extends EndpointOf<G>> = Flat<
  Fields<HttpApiEndpoint.Params<Endpoint<G, E>>["Type"]> &
    Fields<HttpApiEndpoint.Query<Endpoint<G, E>>["Type"]> &
    Fields<JsonBody<HttpApiEndpoint.Payload<Endpoint<G, E>>["Type"]>>
>

/** The query of an endpoint. */
export type Query<G extends GroupName, E extends EndpointOf<G>> = Flat<
  Fields<HttpApiEndpoint.Query<Endpoint<G, E>>["Type"]>
>

/** The JSON reply of an endpoint; void if it is empty. */
export type Output<G extends GroupName, E extends EndpointOf<G>> = JsonReply<HttpApiEndpoint.Success<Endpoint<G, E>>>

type Fields<A> = [A] extends [never] ? unknown : A
type Multipart = {
  readonly "~effect/Brand": { readonly "~effect/http-api/HttpApiSchema/Multipart": unknown }
}
type JsonBody<A> = A extends Multipart | string | null ? never : A
type StreamReply = { readonly "~effect/http-api/HttpApiSchema/Stream": unknown }
type JsonReply<S> = S extends StreamReply
  ? never
  : S extends { readonly Type: infer A }
    ? A extends string
      ? never
      : A
    : never

/** Shows the fields of an intersection as one object. */
export type Flat<A> = { [K in keyof A]: A[K] }
export type DistributiveOmit<A, K extends PropertyKey> = A extends unknown ? Flat<Omit<A, K>> : never
