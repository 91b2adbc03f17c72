import { Form } from "./Form.tsx"
import { read } from "./read.ts"

const Credentials = ({ password }: { readonly password: "current-password" | "new-password" }) => (
  <>
    <label>
      E-mail address
      <input name="email" type="email" autoComplete="username" required />
    </label>
    <label>
      Password
      <input name="password" type="password" autoComplete={password} required />
    </label>
  </>
)

export const Entrance = ({ onEnter }: { readonly onEnter: (email: string) => void }) => {
  const enter = (path: string) => async (fields: object) => onEnter((await read(path, fields)).email)
  return (
    <>
      <h1>Renewals</h1>
      <Form label="Sign in" action={enter("sign-in")}>
        <Credentials password="current-password" />
      </Form>
      <h2>New here?</h2>
      <Form label="Create a team" action={enter("sign-up")}>
        <label>
          Team
          <input name="team" required />
        </label>
        <Credentials password="new-password" />
      </Form>
    </>
  )
}
