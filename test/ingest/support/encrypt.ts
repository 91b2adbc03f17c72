import { Buffer } from "node:buffer"
import { createCipheriv, createHash } from "node:crypto"
import { writeCompoundFile } from "./compoundWriter.ts"

const BLOCK = 16
const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const bytesOf = (text: string, length = text.length) => Buffer.alloc(length, text)

const hash = (name: string, ...parts: ReadonlyArray<Uint8Array>) =>
  parts.reduce((sum, part) => sum.update(part), createHash(name)).digest()

const spin = (name: string, password: string, salt: Uint8Array, spins: number) => {
  let spun = hash(name, salt, Buffer.from(password, "utf16le"))
  for (let round = 0; round < spins; round++) spun = hash(name, number(round), spun)
  return spun
}

const cipher = (mode: string, key: Uint8Array, iv: Uint8Array | null, data: Uint8Array) => {
  const padded = Buffer.alloc(Math.ceil(data.length / BLOCK) * BLOCK)
  padded.set(data)
  const made = createCipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false)
  return Buffer.concat([made.update(padded), made.final()])
}

const seal = (info: Uint8Array, size: number, data: Uint8Array) =>
  writeCompoundFile({
    EncryptionInfo: info,
    EncryptedPackage: Buffer.concat([number(size), number(0), data]),
  })

interface Method {
  readonly password: string
  readonly spins?: number
  readonly digest?: "SHA1" | "SHA256" | "SHA384" | "SHA512"
  readonly keyBits?: 128 | 256
}

/** Encrypts a file as Office does since 2010 (MS-OFFCRYPTO 2.3.4.10 to 2.3.4.15). */
export const encryptAgile = (
  file: Uint8Array,
  { password, spins = 1000, digest = "SHA512", keyBits = 256 }: Method,
): Uint8Array => {
  const salt = bytesOf("salt of password", BLOCK)
  const packageSalt = bytesOf("salt of package.", BLOCK)
  const key = bytesOf("key of the package", keyBits / 8)
  const spun = spin(digest, password, salt, spins)
  const put = (blockKey: string, data: Uint8Array) => {
    const derived = Buffer.alloc(keyBits / 8, 0x36)
    derived.set(hash(digest, spun, Buffer.from(blockKey, "hex")).subarray(0, keyBits / 8))
    return cipher("cbc", derived, salt, data).toString("base64")
  }
  const verifier = bytesOf("verifier", BLOCK)
  const method = (salt: Uint8Array) =>
    `saltSize="16" blockSize="16" keyBits="${keyBits}" hashSize="${hash(digest).length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${digest}" saltValue="${Buffer.from(salt).toString("base64")}"`
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${method(packageSalt)}/><keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spins}" ${method(salt)} encryptedVerifierHashInput="${put("fea7d2763b4b9e79", verifier)}" encryptedVerifierHashValue="${put("d7aa0f6d3061344e", hash(digest, verifier))}" encryptedKeyValue="${put("146e0be7abacd0d6", key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const segments = Array.from({ length: Math.ceil(file.length / 4096) }, (_, at) =>
    cipher(
      "cbc",
      key,
      hash(digest, packageSalt, number(at)).subarray(0, BLOCK),
      file.subarray(4096 * at, 4096 * (at + 1)),
    ),
  )
  return seal(
    Buffer.concat([number(0x0004_0004), number(0x40), Buffer.from(xml)]),
    file.length,
    Buffer.concat(segments),
  )
}

/** Encrypts a file as Office 2007 does (MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9). */
export const encryptStandard = (file: Uint8Array, { password, keyBits = 128 }: Method): Uint8Array => {
  const salt = bytesOf("salt of password", BLOCK)
  const derived = hash("SHA1", spin("SHA1", password, salt, 50_000), number(0))
  const half = (pad: number) =>
    hash(
      "SHA1",
      Buffer.alloc(64, pad).map((byte, at) => byte ^ (derived[at] ?? 0)),
    )
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBits / 8)
  const verifier = bytesOf("verifier", BLOCK)
  const name = Buffer.from("Microsoft Enhanced RSA and AES Cryptographic Provider\0", "utf16le")
  const algorithm = 0x660e + (keyBits - 128) / 64
  const header = Buffer.concat([...[0x24, 0, algorithm, 0x8004, keyBits, 0x18, 0, 0].map(number), name])
  const info = [
    ...[0x0002_0003, 0x24, header.length].map(number),
    header,
    number(BLOCK),
    salt,
    cipher("ecb", key, null, verifier),
    number(20),
    cipher("ecb", key, null, hash("SHA1", verifier)),
  ]
  return seal(Buffer.concat(info), file.length, cipher("ecb", key, null, file))
}
