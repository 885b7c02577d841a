import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` listens unless told otherwise. */
const SERVER = "http://localhost:3000";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // A font or picture inside the script would need a content security policy that allows data: addresses.
    assetsInlineLimit: 0,
  },
  server: {
    // The fonts come from the packages beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "/api": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
