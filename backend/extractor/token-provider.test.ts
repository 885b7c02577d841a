/** The check of the token provider, and the folder of its plugin. No plugin is installed. */
import { once } from "node:events";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTokenProvider } from "../dev/stand-ins/token-provider.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { TokenPlugin } from "./token-plugin.ts";
import { TokenProvider } from "./token-provider.ts";

let home: string;
let resources: AsyncDisposableStack;
beforeEach(async () => {
  home = await testFolder();
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

/** @returns the log of the first check */
async function linesOfCheck(address: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(`! ${line}`) };
  await using provider = new TokenProvider({ address, plugin: null, log });
  await provider.start();
  await provider.settled();
  return lines;
}

it("says which version answers", async () => {
  const { address } = resources.use(await startTokenProvider({ version: "2.0.1", certificate: "" }));
  expect(await linesOfCheck(address)).toEqual([expect.stringContaining("answers: version 2.0.1")]);
});

it("warns when another program answers at the address", async () => {
  const server = createServer((_request, response) => response.end("<html></html>")).listen(0, "127.0.0.1");
  resources.defer(() => void server.close());
  await once(server, "listening");
  const [first] = await linesOfCheck(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(first).toContain("does not answer (it is another program)");
});

it("removes what a killed process has left, and not what another process works on", async () => {
  const hourAgo = new Date(Date.now() - 3_700_000);
  for (const name of ["token-plugin-old", "token-plugin-new"]) await mkdir(path.join(home, name));
  await utimes(path.join(home, "token-plugin-old"), hourAgo, hourAgo);
  await TokenPlugin.open(home, { python: [], sandbox: undefined });
  expect(await readdir(home)).toEqual(["plugins", "token-plugin-new", "token-plugins"]);
});
