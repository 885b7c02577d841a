/** The plugin of the token provider, which pip installs in the provider's version. */
import { mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { startTokenProvider } from "../dev/stand-ins/token-provider.ts";
import { makeYtDlp, pipSettings } from "../dev/testing/test-renewal.ts";
import { openTestSandbox } from "../dev/testing/test-sandbox.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { TokenPlugin } from "./token-plugin.ts";
import { TokenProvider } from "./token-provider.ts";

const shared = await testFolder();
let index: string;
let python: string;
let home: string;
let resources: AsyncDisposableStack;

beforeAll(async () => {
  index = path.join(shared, "index");
  await mkdir(index);
  python = path.join(path.dirname(await realpath(inject("toolPaths").ytDlpPath)), "python");
  for (const version of ["1.9.0", "2.0.1", "2.0.2"]) await makeYtDlp(python, "plugin", index, version);
});
beforeEach(async () => {
  home = await mkdtemp(path.join(shared, "home-"));
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

async function openPlugin(): Promise<TokenPlugin> {
  const sandbox = await openTestSandbox();
  return TokenPlugin.open(home, { python: [python], environment: pipSettings(index), sandbox });
}

/** @returns the log after the first check and the installation */
async function linesOfStart(address: string, plugin: TokenPlugin | null = null): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(`! ${line}`) };
  await using provider = new TokenProvider({ address, plugin, log });
  await provider.start();
  await provider.settled();
  return lines;
}

async function startProvider(version: string): Promise<string> {
  return resources.use(await startTokenProvider({ version, certificate: "" })).address;
}

it("installs the plugin in the provider's version, and another when that changes", async () => {
  const plugin = await openPlugin();
  expect(await linesOfStart(await startProvider("2.0.1"), plugin)).toEqual([
    expect.stringContaining("answers: version 2.0.1"),
    expect.stringContaining("installed: version 2.0.1"),
  ]);
  expect(await linesOfStart(await startProvider("2.0.1"), plugin)).toHaveLength(1);
  expect(await linesOfStart(await startProvider("1.9.0"), plugin)).toHaveLength(2);
  expect(await plugin.version()).toBe("1.9.0");
  expect(await readdir(path.join(plugin.folder, "token-provider", "yt_dlp_plugins", "extractor"))).toContain(
    "getpot.py",
  );
  expect(await readdir(home)).toEqual(["plugins", "token-plugins"]);
});

it("installs the newest plugin and warns when the provider does not answer", async () => {
  // No test listens there; the port of a provider that has ended may be given to one of them.
  const address = "http://127.0.0.1:2";
  expect(await linesOfStart(address, await openPlugin())).toEqual([
    expect.stringContaining(`! the token provider at ${address} does not answer`),
    expect.stringContaining("installed: version 2.0.2"),
  ]);
});

it.each(["2.0.9", "1.0 --index-url=https://example.invalid"])(
  "keeps the plugin it has when there is none for the provider's version: %s",
  async (version) => {
    const plugin = await openPlugin();
    await plugin.install("2.0.1", new AbortController().signal);
    const lines = await linesOfStart(await startProvider(version), plugin);
    expect(lines.at(-1)).toContain("! the plugin of the token provider could not be installed");
    expect(await plugin.version()).toBe("2.0.1");
  },
);

it("may be installed by two processes at once", async () => {
  const { signal } = new AbortController();
  const plugins = await Promise.all([openPlugin(), openPlugin()]);
  expect(await Promise.all(plugins.map((plugin) => plugin.install("2.0.2", signal)))).toEqual(["2.0.2", "2.0.2"]);
  expect(await readdir(home)).toEqual(["plugins", "token-plugins"]);
});
