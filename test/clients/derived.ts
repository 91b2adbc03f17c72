import type * as Stream from "effect/Stream"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { Api } from "../../src/core/server/api.ts"

// The types of the contract as its schemas have them. The client has them as plain interfaces, which a test compares with these.

type Groups = (typeof Api)["groups"]
type GroupName = keyof Groups
type EndpointOf<G extends GroupName> = HttpApiGroup.Endpoints<Groups[G]>["identifier"]
type Endpoint<G extends GroupName, E extends EndpointOf<G>> = HttpApiEndpoint.WithIdentifier<
  HttpApiGroup.Endpoints<Groups[G]>,
  E
>

/** The method and path of every endpoint. */
export type DerivedRoutes = {
  readonly [G in GroupName]: {
    readonly [E in EndpointOf<G>]: Endpoint<G, E> extends {
      readonly method: infer Method extends string
      readonly path: `/api/v1${infer Path}`
    }
      ? `${Method} ${Path}`
      : never
  }
}

/** The input and the JSON reply of every endpoint. */
export type DerivedContract = {
  readonly [G in GroupName]: {
    readonly [E in EndpointOf<G>]: {
      readonly input: Flat<
        Fields<HttpApiEndpoint.Params<Endpoint<G, E>>["Type"]> &
          Fields<HttpApiEndpoint.Query<Endpoint<G, E>>["Type"]> &
          Fields<JsonBody<HttpApiEndpoint.Payload<Endpoint<G, E>>["Type"]>>
      >
      readonly output: JsonReply<HttpApiEndpoint.Success<Endpoint<G, E>>>
    }
  }
}

type Fields<A> = [A] extends [never] ? unknown : A
type Multipart = {
  readonly "~effect/Brand": { readonly "~effect/http-api/HttpApiSchema/Multipart": unknown }
}
type JsonBody<A> = A extends Multipart | Stream.Stream<unknown, unknown> | string | null ? never : A
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
