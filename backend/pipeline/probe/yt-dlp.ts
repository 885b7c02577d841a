/** Runs yt-dlp with the options that all calls share. */
import { mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Pipeline, Work } from "../pipeline.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import type { NetworkWay, ToolAccess } from "../process/tool-sandbox.ts";
import { normalizeHost } from "../guard/public-address.ts";
import { openForward } from "../guard/socket-forward.ts";
import { forwardedCommand } from "../extractor-host/extractor-sandbox.ts";
import { HostUnavailable } from "../extractor-host/extractor-process.ts";

/** Retries of one request. More would only delay the site's error. */
const REQUEST_RETRIES = 1;

/** A solver needs up to 330 MB, most of it outside the part of the heap that is limited here. */
const SCRIPT_RUNTIME_FLAGS = "--max-old-space-size=512";

/** The stall watch ends a silent connection first; yt-dlp's own timeout is the fallback. */
const SOCKET_TIMEOUT_MARGIN_SECONDS = 5;

/** Plugins come from the operator's folders only; one in the home folder or beside yt-dlp is not loaded. */
export function pluginFolderArgs({ tools }: Pipeline): string[] {
  return ["--no-plugin-dirs", ...(tools.pluginFolders ?? []).map((folder) => `--plugin-dirs=${folder}`)];
}

/**
 * Options of every call: no configuration of the machine is read, all requests go through the proxy, and Deno is the
 * only program that yt-dlp may start. It must not find ffmpeg, because it would pass addresses to it.
 */
export function commonArgs(pipeline: Pipeline, proxyUrl: string): string[] {
  const { tools, limits } = pipeline;
  return [
    "--ignore-config",
    ...pluginFolderArgs(pipeline),
    "--no-update",
    // Without it, yt-dlp trusts the authorities of its own package only.
    ...(tools.caFile === undefined ? [] : ["--compat-options=no-certifi"]),
    "--color=never",
    `--proxy=${proxyUrl}`,
    `--socket-timeout=${Math.ceil(limits.stallTimeoutMs / 1_000) + SOCKET_TIMEOUT_MARGIN_SECONDS}`,
    `--retries=${REQUEST_RETRIES}`,
    `--fragment-retries=${REQUEST_RETRIES}`,
    `--extractor-retries=${REQUEST_RETRIES}`,
    "--no-js-runtimes",
    ...(tools.denoPath === undefined ? [] : [`--js-runtimes=deno:${tools.denoPath}`]),
    "--ffmpeg-location=/nonexistent",
    "--fixup=never",
  ];
}

export interface YtDlpCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
  readonly onLine?: (line: string) => void;
  /** See `ToolCommand`. */
  readonly outputFile?: string;
  /** The way to the egress guard; absent for a call that needs none. */
  readonly way?: NetworkWay;
  /** Address of the token provider, for a call that may ask it; in a sandbox no other call reaches it. */
  readonly tokenProvider?: string | undefined;
  /** Files and folders besides the working folder that yt-dlp reads. */
  readonly readable?: readonly string[];
  /** What it has to do with player scripts: nothing if absent. Only the extractor host knows how. */
  readonly players?: PlayerUse;
}

/** How a call uses player scripts. It never writes to the folder from which others read. */
export type PlayerUse =
  | {
      readonly kind: "reads";
      readonly folder: string;
      /** In the working folder: where the call asks for scripts; see player-requests.ts. */
      readonly requestFile: string;
    }
  /** Fetches and prepares one script, and leaves the files in its working folder. */
  | { readonly kind: "prepares"; readonly url: string };

/** See extractor_host.py. */
function playerEnvironment(players: PlayerUse | undefined): Record<string, string> | undefined {
  if (players?.kind === "reads") return { TAPEDECK_PLAYER_REQUESTS: players.requestFile };
  return players && { TAPEDECK_PREPARED_PLAYER: players.url };
}

/** @returns the folders, and where links in them lead to */
async function pluginPaths(folders: readonly string[]): Promise<readonly string[]> {
  const linked = folders.map(async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    const links = (entries ?? []).filter((entry) => entry.isSymbolicLink());
    const targets = await Promise.all(links.map(({ name }) => realpath(join(folder, name)).catch(() => null)));
    // A folder that is missing has no plugin.
    return [...(entries ? [folder] : []), ...targets.filter((target) => target !== null)];
  });
  return (await Promise.all(linked)).flat();
}

/** @returns what yt-dlp may use in its sandbox */
async function accessOf(
  { tools }: Pipeline,
  { readable = [], players }: YtDlpCall,
  ways: readonly NetworkWay[],
): Promise<ToolAccess> {
  const { ytDlpPath, denoPath, caFile, pluginFolders = [] } = tools;
  return {
    ways,
    network: "sockets",
    programs: [ytDlpPath],
    scriptRuntime: denoPath,
    readable: [
      ...readable,
      ...(await pluginPaths(pluginFolders)),
      ...(caFile === undefined ? [] : [caFile]),
      ...(players?.kind === "reads" ? [players.folder] : []),
    ],
  };
}

/** Ports below are for those with rights, which nothing in a sandbox has. */
const FIRST_FREE_PORT = 1_024;

interface ProviderWay extends AsyncDisposable {
  readonly way: NetworkWay;
  /** Puts the address that the provider has in the sandbox in place of its own. */
  rename(arg: string): string;
}

/** @param address of the token provider, which listens on this machine */
async function openProviderWay(address: string | undefined): Promise<ProviderWay | undefined> {
  if (address === undefined) return undefined;
  const { hostname, port } = new URL(address);
  const forward = await openForward(normalizeHost(hostname), Number(port));
  const ownPort = Number(port) < FIRST_FREE_PORT ? Number(port) + 10_000 : Number(port);
  return {
    way: { port: ownPort, socketPath: forward.path },
    rename: (arg) => arg.replace(address.replace(/\/$/, ""), `http://127.0.0.1:${ownPort}`),
    [Symbol.asyncDispose]: () => forward[Symbol.asyncDispose](),
  };
}

/** Runs yt-dlp in the extractor host if there is one. Returns and throws like {@link runBoundedTool}. */
export async function runYtDlp({ pipeline, signal }: Work, call: YtDlpCall): Promise<ToolOutcome> {
  const { tools, limits, sandbox, extractorHost } = pipeline;
  const { folder, timeoutMs, onLine, outputFile, way, players, tokenProvider } = call;
  // A sandbox shows only what exists.
  if (players?.kind === "reads") await mkdir(players.folder, { recursive: true, mode: 0o700 });
  await using provider = sandbox && way ? await openProviderWay(tokenProvider) : undefined;
  const ways = [way, provider?.way].filter((each) => each !== undefined);
  const command: ToolCommand = {
    args: ["--no-cache-dir", ...(provider ? call.args.map((arg) => provider.rename(arg)) : call.args)],
    folder,
    timeoutMs,
    onLine,
    outputFile,
    sandbox,
    access: sandbox && (await accessOf(pipeline, call, ways)),
    environment: {
      DENO_V8_FLAGS: SCRIPT_RUNTIME_FLAGS,
      // Deno looks for a newer release of itself otherwise.
      DENO_NO_UPDATE_CHECK: "1",
      ...(tools.caFile === undefined ? undefined : { SSL_CERT_FILE: tools.caFile }),
    },
    path: tools.ytDlpPath,
    killGraceMs: limits.killGraceMs,
    maxMemoryBytes: limits.maxToolMemoryBytes,
    maxCpuSeconds: limits.maxExtractorCpuSeconds,
    maxOutputBytes: limits.maxInfoBytes,
  };
  // The extractor host does not pass on lines while yt-dlp runs.
  if (extractorHost && !onLine) {
    const cacheFolder = players?.kind === "reads" ? players.folder : folder;
    const withPlayers: ToolCommand = {
      ...command,
      args: players ? [`--cache-dir=${cacheFolder}`, ...command.args.slice(1)] : command.args,
      environment: { ...command.environment, ...playerEnvironment(players) },
    };
    try {
      return await extractorHost.run(withPlayers, signal);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
    }
  }
  // Awaited here, because the way to the provider is closed at the end.
  return await runBoundedTool(sandbox ? await forwardedCommand(sandbox, command) : command, signal);
}
