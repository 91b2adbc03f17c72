import { createHash, createHmac, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

// An S3 server with an empty bucket, named by the first argument. It sends its port to the parent and ends with it. It has what
// `layerS3` uses, as S3's reference says, keeps objects in memory, and checks every signature.

const [, , BUCKET = ""] = process.argv
const ACCESS_KEY = "S3KEY"
const SECRET = "S3SECRET"
const MIN_PART_BYTES = 5 * 1024 * 1024
const PAGE_KEYS = 1000

interface Stored {
  readonly bytes: Buffer
  readonly etag: string
  readonly storedAt: Date
}
interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

const objects = new Map<string, Stored>()
/** The parts of uploads that are not complete, by the upload's id. */
const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Stored> }>()

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex")
const stored = (bytes: Buffer): Stored => ({
  bytes,
  etag: `"${createHash("md5").update(bytes).digest("hex")}"`,
  storedAt: new Date(),
})

/** Whether the request has signature version 4 of this server's key. */
const isSigned = ({ method = "", url = "", headers }: IncomingMessage, body: Buffer): boolean => {
  const [, id, scope = "", names = "", signature] =
    /Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? "") ?? []
  const [path = "", query = ""] = url.split("?")
  const parts = query.split("&").filter((part) => part !== "")
  const hashed = String(headers["x-amz-content-sha256"])
  const canonical = [
    method,
    path,
    parts
      .map((part) => (part.includes("=") ? part : `${part}=`))
      .toSorted()
      .join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name])}`),
    "",
    names,
    hashed,
  ].join("\n")
  const key = scope.split("/").reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`)
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n")
  const isWhole = hashed === "UNSIGNED-PAYLOAD" || hashed === sha256(body)
  return id === ACCESS_KEY && isWhole && hmac(key, text).toString("hex") === signature
}

const refuse = (status: number, code: string): Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
})

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const list = (query: URLSearchParams): Reply => {
  const after = query.get("continuation-token") ?? ""
  const names = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after).toSorted()
  const page = names.slice(0, PAGE_KEYS)
  const contents = page.map((key) => {
    const { bytes, etag, storedAt } = objects.get(key)!
    const fields = { Key: escapeXml(key), LastModified: storedAt.toISOString(), ETag: etag, Size: bytes.length }
    return `<Contents>${Object.entries(fields)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join("")}</Contents>`
  })
  const token = names.length > page.length ? page.at(-1) : undefined
  const next = token === undefined ? "" : `<NextContinuationToken>${escapeXml(token)}</NextContinuationToken>`
  const head = `<IsTruncated>${token !== undefined}</IsTruncated>${next}`
  return { status: 200, body: `<ListBucketResult>${head}${contents.join("")}</ListBucketResult>` }
}

const read = (key: string, { range, "if-match": expected }: IncomingMessage["headers"]): Reply => {
  const object = objects.get(key)
  if (object === undefined) return refuse(404, "NoSuchKey")
  if (expected !== undefined && expected !== object.etag) return refuse(412, "PreconditionFailed")
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? []
  const body = first === undefined ? object.bytes : object.bytes.subarray(Number(first), Number(last) + 1)
  return { status: first === undefined ? 200 : 206, headers: { etag: object.etag }, body }
}

const complete = (id: string, body: string): Reply => {
  const { key, parts } = uploads.get(id)!
  const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
  const chosen = named.map(([, number, etag]) => {
    const part = parts.get(Number(number))
    return part !== undefined && part.etag === etag ? part.bytes : undefined
  })
  if (chosen.length === 0 || chosen.includes(undefined)) return refuse(400, "InvalidPart")
  const isSmall = (part: Buffer | undefined) => part!.length < MIN_PART_BYTES
  if (chosen.slice(0, -1).some(isSmall)) return refuse(400, "EntityTooSmall")
  objects.set(key, stored(Buffer.concat(chosen as Array<Buffer>)))
  uploads.delete(id)
  return { status: 200, body: "<CompleteMultipartUploadResult/>" }
}

const answerUpload = (method: string, id: string, query: URLSearchParams, body: Buffer): Reply => {
  const upload = uploads.get(id)
  if (upload === undefined) return refuse(404, "NoSuchUpload")
  if (method === "POST") return complete(id, body.toString())
  if (method === "DELETE") return (uploads.delete(id), { status: 204 })
  const part = stored(body)
  upload.parts.set(Number(query.get("partNumber")), part)
  return { status: 200, headers: { etag: part.etag } }
}

const answer = (request: IncomingMessage, body: Buffer): Reply => {
  const { method = "", headers } = request
  const { pathname, searchParams } = new URL(request.url ?? "", "http://s3")
  const [, bucket, ...rest] = decodeURIComponent(pathname).split("/")
  const key = rest.join("/")
  if (!isSigned(request, body)) return refuse(403, "SignatureDoesNotMatch")
  if (bucket !== BUCKET) return refuse(404, "NoSuchBucket")
  if (key === "" && method === "GET") return list(searchParams)
  const id = searchParams.get("uploadId")
  if (id !== null) return answerUpload(method, id, searchParams, body)
  if (method === "GET" || method === "HEAD") return read(key, headers)
  if (method === "DELETE") return (objects.delete(key), { status: 204 })
  if (method === "POST" && searchParams.has("uploads")) {
    const made = randomUUID()
    uploads.set(made, { key, parts: new Map() })
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
    }
  }
  if (method !== "PUT") return refuse(405, "MethodNotAllowed")
  objects.set(key, stored(body))
  return { status: 200, headers: { etag: objects.get(key)!.etag } }
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { status, headers, body = "" } = answer(request, Buffer.concat(chunks))
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
    response.end(request.method === "HEAD" ? undefined : body)
  })
})
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.once("disconnect", () => process.exit(0))
