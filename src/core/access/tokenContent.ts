import { PERMISSION_NAMES, type Permission, type Role, ROLE_NAMES } from "./permissions.ts"

/** Every token of a host's page starts with it. */
export const TOKEN_PREFIX = "sl_tok_"

export const isTokenText = (text: string): boolean => text.startsWith(TOKEN_PREFIX)

const HASH_BYTES = 32
/** The bytes of an origin's hash: enough to tell origins apart, because the host chooses them. */
export const ORIGIN_HASH_BYTES = 9

/** The content of a token. It carries hashes of the identity and the origin because the texts may have 200 characters and more. */
export interface TokenContent {
  readonly role: Role
  /** Null: all permissions of the role. */
  readonly permissions: ReadonlyArray<Permission> | null
  /** Unix seconds. */
  readonly expires: number
  /** The hash by which `admit_identity` finds the identity. */
  readonly identityHash: Uint8Array
  /** The start of the SHA-256 of the only origin whose pages may use it; undefined: any. */
  readonly originHash: Uint8Array | undefined
  /** The id of the identity's row. An identity that was revoked and enrolled again has another row. */
  readonly row: string
}

/** Encodes content for signing: flags, permissions, expiry, the hashes, and the row's id. */
export const packToken = ({ role, permissions, expires, identityHash, originHash, row }: TokenContent): Uint8Array => {
  const id = new TextEncoder().encode(row)
  const head = HEAD_BYTES + (originHash === undefined ? 0 : ORIGIN_HASH_BYTES)
  const bytes = new Uint8Array(head + id.length)
  const view = new DataView(bytes.buffer)
  const flags = (permissions === null ? 0 : HAS_PERMISSIONS) | (originHash === undefined ? 0 : HAS_ORIGIN)
  view.setUint8(0, ROLE_NAMES.indexOf(role) | flags)
  view.setUint32(
    1,
    (permissions ?? []).reduce((bits, name) => bits | (1 << PERMISSION_NAMES.indexOf(name)), 0),
  )
  view.setUint32(5, expires)
  bytes.set(identityHash, 9)
  if (originHash !== undefined) bytes.set(originHash, HEAD_BYTES)
  bytes.set(id, head)
  return bytes
}

/** Undefined for other bytes, which a later version may sign. */
export const unpackToken = (bytes: Uint8Array): TokenContent | undefined => {
  const flags = bytes[0] ?? 0
  const hasOrigin = (flags & HAS_ORIGIN) !== 0
  const head = HEAD_BYTES + (hasOrigin ? ORIGIN_HASH_BYTES : 0)
  if (bytes.length <= head || (flags & ~(ROLE | HAS_PERMISSIONS | HAS_ORIGIN)) !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const bits = view.getUint32(1)
  return {
    role: ROLE_NAMES[flags & ROLE]!,
    permissions: (flags & HAS_PERMISSIONS) === 0 ? null : PERMISSION_NAMES.filter((_, at) => (bits & (1 << at)) !== 0),
    expires: view.getUint32(5),
    identityHash: bytes.slice(9, HEAD_BYTES),
    originHash: hasOrigin ? bytes.slice(HEAD_BYTES, head) : undefined,
    row: new TextDecoder().decode(bytes.subarray(head)),
  }
}

const HEAD_BYTES = 1 + 4 + 4 + HASH_BYTES
/** The bits of the flags: the role's place in `ROLE_NAMES`, and what follows. */
const ROLE = 0b0000_0011
const HAS_PERMISSIONS = 0b0100_0000
const HAS_ORIGIN = 0b1000_0000
