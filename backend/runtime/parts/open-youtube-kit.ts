/** Opens the operator's kit for YouTube: an account's cookies, a folder of plugins, a provider of tokens. */
import { mkdtempDisposable } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { ConfigError, type Config } from "../../config/config.ts";
import { wrongPluginFolder } from "../../extractor/plugin-folder.ts";
import { listPlugins } from "../../extractor/plugin-list.ts";
import { TokenPlugin } from "../../extractor/token-plugin.ts";
import { TokenProvider } from "../../extractor/token-provider.ts";
import type { YouTubeNotice } from "../../pipeline/errors/failure-rules.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { AccountCookies, CookiesFileError } from "../../pipeline/probe/account-cookies.ts";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";
import { withExtractor } from "../../pipeline/probe/extractor-source.ts";
import { withTokenProvider, type YouTubeAccess } from "../../pipeline/probe/youtube.ts";

/** The same notice is logged once in this time. */
const NOTICE_INTERVAL_MS = 60 * 60_000;

const NOTICES: Readonly<Record<YouTubeNotice, string>> = {
  cookies:
    "YouTube no longer accepts the cookies of YOUTUBE_COOKIES_FILE, or the file cannot be used. Export them again from " +
    "a private window that is closed afterwards; a restart is not needed.",
  scripts:
    "Deno was stopped while it ran a script of YouTube, by its limit of processor time or memory or by this machine. " +
    "Videos that need the script cannot be converted while this goes on.",
  tokens: "yt-dlp got no token from the provider, and left out the formats of YouTube that need one.",
};

export interface YouTubeKit extends AsyncDisposable {
  readonly pluginFolders: readonly string[];
  /** Adds the parts that are configured. */
  equip(access: YouTubeAccess): YouTubeAccess;
  /** Logs which of the operator's plugins yt-dlp loads. */
  reportPlugins(pipeline: Pipeline): Promise<void>;
}

/**
 * Checks each part that is configured.
 * @param firstPath the yt-dlp that the server was installed with
 * @throws ConfigError when the cookies or the folder cannot be used
 */
export async function openYouTubeKit(
  config: Config,
  firstPath: string,
  sandbox: ToolSandbox | undefined,
  log: Logger,
): Promise<YouTubeKit> {
  const { env } = config;
  await using opened = new AsyncDisposableStack();
  const account = await openAccount(env.YOUTUBE_COOKIES_FILE, log);
  const operatorsFolder = await checkFolder(env.YOUTUBE_PLUGINS_FOLDER);
  const plugin = await openTokenPlugin(config, firstPath, sandbox);
  const { YOUTUBE_TOKEN_PROVIDER: address } = env;
  if (address !== undefined) {
    const provider = opened.use(new TokenProvider({ address, plugin, log }));
    await provider.start();
  }
  const rest = opened.move();
  return {
    pluginFolders: [operatorsFolder, plugin?.folder].filter((folder) => folder !== undefined),
    equip: (access) => {
      const logNotice = logNotices(log);
      const onNotice = (notice: YouTubeNotice): void => {
        logNotice(notice);
        access.onNotice?.(notice);
      };
      const equipped = { ...access, account, onNotice };
      return address === undefined ? equipped : withTokenProvider(equipped, address);
    },
    reportPlugins: async (pipeline) => {
      if (operatorsFolder !== undefined)
        await reportPlugins(pipeline, { dataDir: config.dataDir, operatorsFolder }, log);
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

async function openAccount(file: string | undefined, log: Logger): Promise<AccountCookies | undefined> {
  if (file === undefined) return undefined;
  const account = new AccountCookies(resolve(file));
  try {
    for (const warning of await account.check()) log.warn(`YOUTUBE_COOKIES_FILE: ${warning}`);
  } catch (error) {
    throw error instanceof CookiesFileError
      ? new ConfigError(`YOUTUBE_COOKIES_FILE: ${error.message}`, { cause: error })
      : error;
  }
  return account;
}

async function checkFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const absolute = resolve(folder);
  const wrong = await wrongPluginFolder(absolute);
  if (wrong !== undefined) throw new ConfigError(`YOUTUBE_PLUGINS_FOLDER: ${wrong}; correct or unset it.`);
  return absolute;
}

/** @returns null when the operator installs yt-dlp, and so its plugins */
async function openTokenPlugin(
  { env, dataDir, pipEnvironment }: Config,
  firstPath: string,
  sandbox: ToolSandbox | undefined,
): Promise<TokenPlugin | null> {
  const isOperators = env.YTDLP_PATH !== undefined || env.YOUTUBE_EXTRACTOR_RELEASE.kind === "off";
  if (env.YOUTUBE_TOKEN_PROVIDER === undefined || isOperators) return null;
  const python = (await findInterpreter(firstPath))?.python ?? ["python3"];
  return TokenPlugin.open(join(dataDir, "extractor"), { python, environment: pipEnvironment, sandbox });
}

async function reportPlugins(
  pipeline: Pipeline,
  { dataDir, operatorsFolder }: { dataDir: string; operatorsFolder: string },
  log: Logger,
): Promise<void> {
  // The sandbox of yt-dlp has this folder alone.
  await using folder = await mkdtempDisposable(join(dataDir, "plugins-"));
  const { signal } = new AbortController();
  const alone: Pipeline = { ...pipeline, tools: { ...pipeline.tools, pluginFolders: [operatorsFolder] } };
  using lease = await alone.extractors?.acquire();
  const current = withExtractor(alone, lease?.extractor);
  const { loaded, failed } = await listPlugins({ pipeline: current, signal }, folder.path);
  if (failed.length > 0) log.warn(`YOUTUBE_PLUGINS_FOLDER: yt-dlp cannot load ${failed.join(", ")}`);
  if (loaded.length > 0) log.info(`YOUTUBE_PLUGINS_FOLDER: yt-dlp loads ${loaded.join(", ")}`);
  else
    log.warn("YOUTUBE_PLUGINS_FOLDER: no plugin in it. Expected is a folder or archive that has yt_dlp_plugins in it");
}

function logNotices(log: Logger): (notice: YouTubeNotice) => void {
  const loggedMs = new Map<YouTubeNotice, number>();
  return (notice) => {
    const nowMs = performance.now();
    if (nowMs - (loggedMs.get(notice) ?? -Infinity) < NOTICE_INTERVAL_MS) return;
    loggedMs.set(notice, nowMs);
    log.warn(NOTICES[notice]);
  };
}
