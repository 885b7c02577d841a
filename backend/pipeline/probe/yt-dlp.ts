/** Runs yt-dlp with the options that all calls share. */
import type { Pipeline } from "../pipeline.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import { HostUnavailable } from "./extractor-process.ts";

/** Retries of one request. More would only delay the site's error. */
const REQUEST_RETRIES = 1;

/** The stall watch ends a silent connection first; yt-dlp's own timeout is the fallback. */
const SOCKET_TIMEOUT_MARGIN_SECONDS = 5;

/**
 * Options of every call: no configuration of the machine is read, all requests go through the proxy, and Node is the
 * only program that yt-dlp may start. It must not find ffmpeg, because it would pass addresses to it.
 */
export function commonArgs(pipeline: Pipeline, proxyUrl: string): string[] {
  const { tools, limits, youtube } = pipeline;
  return [
    "--ignore-config",
    "--no-plugin-dirs",
    "--no-update",
    youtube?.playerFolder === undefined ? "--no-cache-dir" : `--cache-dir=${youtube.playerFolder}`,
    // Without it, yt-dlp trusts the authorities of its own package only.
    ...(tools.caFile === undefined ? [] : ["--compat-options=no-certifi"]),
    "--color=never",
    `--proxy=${proxyUrl}`,
    `--socket-timeout=${Math.ceil(limits.stallTimeoutMs / 1_000) + SOCKET_TIMEOUT_MARGIN_SECONDS}`,
    `--retries=${REQUEST_RETRIES}`,
    `--fragment-retries=${REQUEST_RETRIES}`,
    `--extractor-retries=${REQUEST_RETRIES}`,
    "--no-js-runtimes",
    `--js-runtimes=node:${tools.nodePath}`,
    "--ffmpeg-location=/nonexistent",
    "--fixup=never",
  ];
}

export interface YtDlpCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
  readonly onLine?: (line: string) => void;
}

/** Runs yt-dlp in the extractor host if there is one. Returns and throws like {@link runBoundedTool}. */
export async function runYtDlp(pipeline: Pipeline, call: YtDlpCall, signal: AbortSignal): Promise<ToolOutcome> {
  const { tools, limits, extractorHost } = pipeline;
  const command: ToolCommand = {
    ...call,
    environment: tools.caFile === undefined ? undefined : { SSL_CERT_FILE: tools.caFile },
    path: tools.ytDlpPath,
    killGraceMs: limits.killGraceMs,
    maxMemoryBytes: limits.maxToolMemoryBytes,
    maxOutputBytes: limits.maxInfoBytes,
  };
  // The extractor host does not pass on lines while yt-dlp runs.
  if (extractorHost && !call.onLine) {
    try {
      return await extractorHost.run(command, signal);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
    }
  }
  return runBoundedTool(command, signal);
}
