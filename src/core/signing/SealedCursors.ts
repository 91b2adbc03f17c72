import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import { type SecretKeys, SigningKeys } from "./SigningKeys.ts"

const NONCE_BYTES = 12

/**
 * Encrypts cursors, because positions in the database's own order would reveal how much other organizations write. A
 * cursor opens only for its organization and its list.
 */
export class SealedCursors extends Context.Service<
  SealedCursors,
  {
    /** `list` names the list that the cursor pages through. */
    readonly seal: (org: string, list: string, position: string) => Effect.Effect<string>
    /** Undefined if the cursor was not sealed for this organization and list. */
    readonly open: (org: string, list: string, cursor: string) => Effect.Effect<string | undefined>
  }
>()("sightline/signing/SealedCursors") {
  static readonly layer = Layer.effect(
    SealedCursors,
    Effect.gen(function* () {
      const { current, accepted } = yield* SigningKeys
      return SealedCursors.of({
        seal: (org, list, position) =>
          Effect.promise(async () => {
            const [additionalData, text] = [utf8(JSON.stringify([org, list])), utf8(position)]
            const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
            const cipher = { name: "AES-GCM", iv: nonce, additionalData }
            const sealed = new Uint8Array(await crypto.subtle.encrypt(cipher, await current.cipher("cursors"), text))
            const whole = new Uint8Array(NONCE_BYTES + sealed.length)
            whole.set(nonce)
            whole.set(sealed, NONCE_BYTES)
            return Base64Url.encode(whole)
          }),
        open: (org, list, cursor) =>
          Effect.promise(async () => {
            const whole = Result.getOrUndefined(Base64Url.decode(cursor))
            if (whole === undefined || whole.length < NONCE_BYTES) return undefined
            for (const keys of accepted) {
              const opened = await openWith(keys, utf8(JSON.stringify([org, list])), new Uint8Array(whole))
              if (opened !== undefined) return opened
            }
            return undefined
          }),
      })
    }),
  )
}

const openWith = async (
  keys: SecretKeys,
  additionalData: Uint8Array<ArrayBuffer>,
  whole: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> => {
  const cipher = { name: "AES-GCM", iv: whole.subarray(0, NONCE_BYTES), additionalData }
  try {
    const text = await crypto.subtle.decrypt(cipher, await keys.cipher("cursors"), whole.subarray(NONCE_BYTES))
    return new TextDecoder().decode(text)
  } catch {
    return undefined
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
