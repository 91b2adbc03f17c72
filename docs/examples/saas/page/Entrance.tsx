import { Form } from "./Form.tsx"
import { read } from "./read.ts"

const Credentials = () => (
  <>
    <input name="email" type="email" placeholder="Address" autoComplete="username" required />
    <input name="password" type="password" placeholder="Password" autoComplete="current-password" required />
  </>
)

export const Entrance = ({ onEnter }: { readonly onEnter: (email: string) => void }) => {
  const enter = (path: string) => async (fields: object) => onEnter((await read(path, fields)).email)
  return (
    <>
      <h1>Renewals</h1>
      <Form label="Sign in" action={enter("sign-in")}>
        <Credentials />
      </Form>
      <h2>New here?</h2>
      <Form label="Create a team" action={enter("sign-up")}>
        <input name="team" placeholder="Team" required />
        <Credentials />
      </Form>
    </>
  )
}
