#!/usr/bin/env node
/**
 * Starts the command from a clone, without a build. Node runs TypeScript from 22.18 on; an older one starts the Node that
 * `npm ci` has installed, as npm start does.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const MAIN = new URL("main.ts", import.meta.url);
const NODE = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));

if (process.features.typescript) await import(MAIN.href);
else if (existsSync(NODE)) startWith(NODE);
else {
  process.stderr.write("tapedeck needs Node 24. Run `npm ci` in its folder once: that installs it there.\n");
  process.exitCode = 2;
}

/** Ends as the started process does, and passes it the signals of this one. */
function startWith(node) {
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
