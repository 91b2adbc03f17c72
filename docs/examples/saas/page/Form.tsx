import { type ReactNode, useState } from "react"

/** A form that shows why its action failed. */
export const Form = ({
  label,
  action,
  children,
}: {
  readonly label: string
  readonly action: (fields: Record<string, FormDataEntryValue>) => Promise<unknown>
  readonly children: ReactNode
}) => {
  const [problem, setProblem] = useState("")
  const submit = (form: FormData) =>
    action(Object.fromEntries(form)).then(
      () => setProblem(""),
      (error: Error) => setProblem(error.message),
    )
  return (
    <form action={submit}>
      {children}
      <button>{label}</button>
      {problem !== "" && <p role="alert">{problem}</p>}
    </form>
  )
}
