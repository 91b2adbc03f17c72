import { StrictMode, useEffect, useState } from "react"
import { createRoot } from "react-dom/client"
import { Ask } from "./Ask.tsx"
import { Entrance } from "./Entrance.tsx"
import { Renewals } from "./Renewals.tsx"
import { read } from "./read.ts"

const App = () => {
  const [email, setEmail] = useState<string | null>()
  useEffect(() => {
    read("me").then(
      (me) => setEmail(me.email),
      () => setEmail(null),
    )
  }, [])
  if (email === undefined) return null
  if (email === null) return <Entrance onEnter={setEmail} />
  const leave = () => read("sign-out", {}).then(() => setEmail(null))
  return (
    <>
      <header>
        <h1>Renewals</h1>
        <span>{email}</span>
        <button onClick={leave}>Sign out</button>
      </header>
      <Renewals />
      <Ask />
    </>
  )
}

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
