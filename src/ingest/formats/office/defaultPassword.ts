import { Buffer } from "node:buffer"
import { createDecipheriv, createHash } from "node:crypto"
import { openCompoundFile } from "../../safety/compoundFile.ts"
import { type Attributes, xmlParser } from "./xml.ts"

/** With this password Excel encrypts workbooks that are protected against changes only, and opens them without asking (MS-OFFCRYPTO 2.4.2.3). */
const PASSWORD = Buffer.from("VelvetSweatshop", "utf16le")

/** Rounds of the hash. Excel writes 100,000; a million take seconds. */
const MAX_SPINS = 1_000_000
/** Standard encryption has no other number (MS-OFFCRYPTO 2.3.4.7). */
const STANDARD_SPINS = 50_000
const SEGMENT_BYTES = 4096
const AES_BLOCK_BYTES = 16

const HASHES: ReadonlySet<string> = new Set(["sha1", "sha256", "sha384", "sha512"])
/** Office writes 128 and 256. Deno has no AES of 192 bits. */
const KEY_BITS: ReadonlySet<number> = new Set([128, 256])
/** Standard encryption names AES of these bits by number. */
const AES: ReadonlySet<number> = new Set([0x660e, 0x6610])
/** The keys that differ by what they encrypt (MS-OFFCRYPTO 2.3.4.11 to 2.3.4.13). */
const BLOCK_KEYS = {
  input: Buffer.from("fea7d2763b4b9e79", "hex"),
  hash: Buffer.from("d7aa0f6d3061344e", "hex"),
  key: Buffer.from("146e0be7abacd0d6", "hex"),
}

/** Decrypts the package's bytes after the eight of its size. */
type Decrypt = (encrypted: Uint8Array) => Uint8Array

const uint32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const digest = (name: string, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const hash = createHash(name)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const spin = (name: string, salt: Uint8Array, spins: number): Buffer => {
  let hash = digest(name, salt, PASSWORD)
  for (let round = 0; round < spins; round++) hash = digest(name, uint32(round), hash)
  return hash
}

/** Cuts bytes to a length, or pads them as the standard does. */
const fit = (bytes: Uint8Array, length: number): Buffer => {
  const fitted = Buffer.alloc(length, 0x36)
  fitted.set(bytes.subarray(0, length))
  return fitted
}

const decipher = (mode: "cbc" | "ecb", key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer => {
  const whole = data.subarray(0, data.length - (data.length % AES_BLOCK_BYTES))
  const cipher = createDecipheriv(`aes-${8 * key.length}-${mode}`, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(whole), cipher.final()])
}

/** ECMA-376's first encryption: AES in ECB, keys by SHA-1. Undefined: the password or the method is another. */
const openStandard = (info: Buffer): Decrypt | undefined => {
  const header = 12
  const verifier = header + info.readUInt32LE(8)
  const keyBytes = info.readUInt32LE(header + 16) / 8
  if (!AES.has(info.readUInt32LE(header + 8)) || !KEY_BITS.has(8 * keyBytes)) return undefined
  const salt = info.subarray(verifier + 4, verifier + 20)
  const hash = digest("sha1", spin("sha1", salt, STANDARD_SPINS), uint32(0))
  const derive = (pad: number) => {
    const block = Buffer.alloc(64, pad)
    for (const [at, byte] of hash.entries()) block[at] = pad ^ byte
    return digest("sha1", block)
  }
  const key = Buffer.concat([derive(0x36), derive(0x5c)]).subarray(0, keyBytes)
  const open: Decrypt = (encrypted) => decipher("ecb", key, null, encrypted)
  const input = open(info.subarray(verifier + 20, verifier + 36))
  const expected = open(info.subarray(verifier + 40, verifier + 72)).subarray(0, 20)
  return digest("sha1", input).equals(expected) ? open : undefined
}

interface Method {
  readonly hash: string
  readonly keyBytes: number
  readonly salt: Buffer
  readonly isKnown: boolean
}

const base64 = (attributes: Attributes, name: string) => Buffer.from(attributes[name] ?? "", "base64")

const readMethod = (attributes: Attributes): Method => {
  const read = (name: string) => attributes[name] ?? ""
  const hash = read("hashAlgorithm").toLowerCase().replace("-", "")
  const keyBits = Number(read("keyBits"))
  const isAes = read("cipherAlgorithm") === "AES" && read("cipherChaining") === "ChainingModeCBC"
  const isKnown = isAes && HASHES.has(hash) && KEY_BITS.has(keyBits)
  return { hash, keyBytes: keyBits / 8, salt: base64(attributes, "saltValue"), isKnown }
}

/** Agile encryption: AES in CBC, a key for the package that a key of the password encrypts. Undefined: the password or the method is another. */
const openAgile = (info: Buffer): Decrypt | undefined => {
  let data: Attributes = {}
  let encrypted: Attributes = {}
  const parser = xmlParser("EncryptionInfo", {
    open: (name, attributes) => {
      if (name === "keyData") data = attributes
      else if (name === "encryptedKey") encrypted = attributes
    },
  })
  parser.write(info.toString("utf8", 8))
  parser.close()
  const [content, password] = [readMethod(data), readMethod(encrypted)]
  const spins = Number(encrypted["spinCount"])
  if (!content.isKnown || !password.isKnown || !(spins >= 0 && spins <= MAX_SPINS)) return undefined
  const spun = spin(password.hash, password.salt, spins)
  const open = (blockKey: Uint8Array, name: string) =>
    decipher(
      "cbc",
      fit(digest(password.hash, spun, blockKey), password.keyBytes),
      fit(password.salt, AES_BLOCK_BYTES),
      base64(encrypted, name),
    )
  const input = open(BLOCK_KEYS.input, "encryptedVerifierHashInput").subarray(0, password.salt.length)
  const hash = digest(password.hash, input)
  if (!open(BLOCK_KEYS.hash, "encryptedVerifierHashValue").subarray(0, hash.length).equals(hash)) return undefined
  const key = open(BLOCK_KEYS.key, "encryptedKeyValue").subarray(0, content.keyBytes)
  return (bytes) => {
    const segments: Array<Uint8Array> = []
    for (let at = 0; at < bytes.length; at += SEGMENT_BYTES) {
      const iv = fit(digest(content.hash, content.salt, uint32(at / SEGMENT_BYTES)), AES_BLOCK_BYTES)
      segments.push(decipher("cbc", key, iv, bytes.subarray(at, at + SEGMENT_BYTES)))
    }
    return Buffer.concat(segments)
  }
}

const open = (bytes: Uint8Array): Uint8Array | undefined => {
  const { children } = openCompoundFile(bytes)
  const [info, encrypted] = ["EncryptionInfo", "EncryptedPackage"].map((name) =>
    Buffer.from(children.get(name)?.read() ?? []),
  )
  if (info === undefined || encrypted === undefined || info.length < 8 || encrypted.length < 8) return undefined
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  const decrypt = major === 4 && minor === 4 ? openAgile(info) : minor === 2 ? openStandard(info) : undefined
  // Blocks of the cipher pad the package.
  return decrypt?.(encrypted.subarray(8)).subarray(0, Number(encrypted.readBigUInt64LE(0)))
}

/** Decrypts an encrypted Office file that its reader opens without a password. Undefined: it asks for one, or it is damaged. */
export const openDefaultPassword = (bytes: Uint8Array): Uint8Array | undefined => {
  try {
    return open(bytes)
  } catch {
    return undefined
  }
}
