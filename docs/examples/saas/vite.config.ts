import devServer from "@hono/vite-dev-server"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    react(),
    // Under `vite dev`, the server's routes too. Each edit evaluates their modules again.
    devServer({ entry: "server/app.ts", exclude: [/^\/(?!intel\/|app\/)/], injectClientScript: false }),
  ],
  build: {
    rolldownOptions: {
      input: ["index.html", "page/element.js"],
      output: { entryFileNames: "page/[name].js" },
    },
  },
})
