import { createHash, randomBytes, randomUUID, scrypt as scryptWithCallback, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { pool } from "./database.ts"

// The host's own users and sessions: Sightline sees only who asks.

export interface User {
  readonly id: string
  readonly email: string
  readonly team: string
}

const SESSION_DAYS = 30
export const SESSION_SECONDS = SESSION_DAYS * 86_400

const scrypt = promisify<string, Buffer, number, Buffer>(scryptWithCallback)
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")

const seal = async (password: string) => {
  const salt = randomBytes(16)
  return `${salt.toString("hex")}:${(await scrypt(password, salt, 32)).toString("hex")}`
}

const isRight = async (password: string, sealed: string) => {
  const [salt = "", hash = ""] = sealed.split(":")
  return timingSafeEqual(await scrypt(password, Buffer.from(salt, "hex"), 32), Buffer.from(hash, "hex"))
}

/** A user with a new team. Undefined if the address is taken. */
export const signUp = async (email: string, password: string, team: string): Promise<User | undefined> => {
  const teamId = `team_${randomUUID()}`
  const { rows } = await pool.query<{ id: string }>(
    `with team as (insert into app.teams (id, name) select $1, $2 where not exists (select from app.users where email = $3) returning id)
     insert into app.users (team_id, email, password) select id, $3, $4 from team returning id`,
    [teamId, team, email, await seal(password)],
  )
  return rows[0] && { id: rows[0].id, email, team: teamId }
}

/** Undefined if the address or the password is wrong. */
export const logIn = async (email: string, password: string): Promise<User | undefined> => {
  const { rows } = await pool.query<User & { password: string }>(
    "select id, email, team_id as team, password from app.users where email = $1",
    [email],
  )
  const [user] = rows
  return user && (await isRight(password, user.password)) ? user : undefined
}

/** The token of a new session, which the browser keeps as a cookie. */
export const startSession = async (user: User): Promise<string> => {
  const token = randomBytes(32).toString("hex")
  await pool.query("insert into app.sessions values ($1, $2, now() + make_interval(days => $3))", [
    hashOf(token),
    user.id,
    SESSION_DAYS,
  ])
  return token
}

export const endSession = (token: string) =>
  pool.query("delete from app.sessions where token_hash = $1", [hashOf(token)])

/** The user of a session. Undefined if it ended or never was. */
export const userOf = async (token: string): Promise<User | undefined> => {
  const { rows } = await pool.query<User>(
    `select users.id, email, team_id as team from app.sessions join app.users on users.id = user_id
     where token_hash = $1 and expires_at > now()`,
    [hashOf(token)],
  )
  return rows[0]
}
