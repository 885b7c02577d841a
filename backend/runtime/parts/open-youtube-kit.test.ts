/** The start checks of the operator's kit for YouTube. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ConfigError, readConfig } from "../../config/config.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { startExtractorHost } from "../../pipeline/extractor-host/extractor-host.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { DIRECT_EXIT } from "../../pipeline/exits/exit.ts";
import { ExitPool } from "../../pipeline/exits/exit-pool.ts";
import { extract } from "../../pipeline/probe/extraction.ts";
import { openYouTubeKit } from "./open-youtube-kit.ts";

const PLUGIN = `
from yt_dlp.extractor.common import InfoExtractor

class PluginExampleIE(InfoExtractor):
    _VALID_URL = r'https://plugin\\.example/(?P<id>\\w+)'

    def _real_extract(self, url):
        formats = [{'format_id': '0', 'url': 'https://plugin.example/a.mp4', 'vcodec': 'h264', 'acodec': 'aac'}]
        return {'id': self._match_id(url), 'title': 'by a plugin', 'formats': formats}
`;

const resources = new AsyncDisposableStack();
const EXITS = new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour: Infinity });

const folder = await testFolder();
let pipeline: Pipeline;
const own = await ofFile(openTestPipeline());
beforeAll(async () => {
  const { tools, sandbox } = own.pipeline;
  const extractorHost = await startExtractorHost(tools.ytDlpPath, folder, undefined, sandbox);
  if (!extractorHost) throw new Error("yt-dlp cannot be loaded");
  resources.use(extractorHost);
  pipeline = { ...own.pipeline, extractorHost };
});
afterAll(() => resources.disposeAsync());

/** @returns the folder of the plugins */
async function writePlugins(modules: Readonly<Record<string, string>>): Promise<string> {
  const plugins = await mkdtemp(path.join(folder, "plugins-"));
  const extractors = path.join(plugins, "my-plugin", "yt_dlp_plugins", "extractor");
  await mkdir(extractors, { recursive: true });
  for (const [name, text] of Object.entries(modules)) await writeFile(path.join(extractors, `${name}.py`), text);
  return plugins;
}

/** @returns the kit, closed at the end, and what the log says about it */
async function open(environment: Record<string, string>) {
  const lines: string[] = [];
  const log = pino(
    { level: "info" },
    { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const config = readConfig({ DATA_DIR: folder, YOUTUBE_EXTRACTOR_RELEASE: "off", ...environment });
  return { kit: resources.use(await openYouTubeKit(config, inject("toolPaths").ytDlpPath, undefined, log)), lines };
}

it("is empty and silent without its variables", async () => {
  const { kit, lines } = await open({});
  const access = { exits: EXITS, clientOrder: ["visionos", "default"] };
  expect(kit.equip(access)).toMatchObject({ ...access, account: undefined });
  await kit.reportPlugins(pipeline);
  expect({ folders: kit.pluginFolders, lines }).toEqual({ folders: [], lines: [] });
});

it.each([
  ["YOUTUBE_COOKIES_FILE", "a cookies file that is missing", "missing.txt", "cannot be read (ENOENT)"],
  ["YOUTUBE_PLUGINS_FOLDER", "a plugin folder that is missing", "missing", "cannot be read (ENOENT)"],
  ["YOUTUBE_PLUGINS_FOLDER", "a file instead of a plugin folder", "file", "is not a folder"],
])("%s refuses %s with a sentence", async (variable, _what, name, reason) => {
  await writeFile(path.join(folder, "file"), "");
  const error: unknown = await open({ [variable]: path.join(folder, name) }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(variable);
  expect(String(error)).toContain(reason);
});

it("warns about a cookies file that others may read, and about a token provider that does not answer", async () => {
  const file = path.join(folder, "cookies.txt");
  const cookies = ["LOGIN_INFO", "SAPISID"].map(
    (name) => `.youtube.com\tTRUE\t/\tTRUE\t0\t${name}\tvalue-of-${name}\n`,
  );
  await writeFile(file, `# Netscape HTTP Cookie File\n${cookies.join("")}`, { mode: 0o644 });
  const { kit, lines } = await open({ YOUTUBE_COOKIES_FILE: file, YOUTUBE_TOKEN_PROVIDER: "http://127.0.0.1:9" });
  const access = kit.equip({ exits: EXITS, clientOrder: ["visionos", "default"] });
  expect(access).toMatchObject({ account: expect.anything(), clientOrder: ["visionos", "default,mweb"] });
  expect(lines).toEqual([expect.stringContaining("chmod 600"), expect.stringContaining("http://127.0.0.1:9 does not")]);
  expect(lines.join("\n")).not.toContain("value-of");
  access.onNotice?.("cookies");
  access.onNotice?.("cookies");
  expect(lines.slice(2)).toEqual([expect.stringContaining("no longer accepts the cookies")]);
});

it("logs which plugins yt-dlp loads and which it cannot, and uses them", async () => {
  const plugins = await writePlugins({ example: PLUGIN, broken: "raise RuntimeError('x')\n" });
  const { kit, lines } = await open({ YOUTUBE_PLUGINS_FOLDER: plugins });
  await kit.reportPlugins(pipeline);
  expect(lines).toEqual([
    expect.stringContaining("cannot load yt_dlp_plugins.extractor.broken"),
    expect.stringContaining("yt-dlp loads my-plugin, PluginExampleIE"),
  ]);
  const withPlugins: Pipeline = { ...pipeline, tools: { ...pipeline.tools, pluginFolders: kit.pluginFolders } };
  const link = "https://plugin.example/abc";
  const { signal } = new AbortController();
  expect(await extract({ pipeline: withPlugins, signal }, link, folder)).toMatchObject({ title: "by a plugin" });
});

it("warns when the folder has no plugin", async () => {
  const { kit, lines } = await open({ YOUTUBE_PLUGINS_FOLDER: await mkdtemp(path.join(folder, "empty-")) });
  await kit.reportPlugins(pipeline);
  expect(lines).toEqual([expect.stringContaining("no plugin in it")]);
});
