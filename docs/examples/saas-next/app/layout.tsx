import type { ReactNode } from "react"

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: "light dark", fontFamily: "system-ui, sans-serif" }}>
      <body>{children}</body>
    </html>
  )
}
