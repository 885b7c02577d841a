/** How yt-dlp is called: the flags every call has in common, and nothing of what the calls are for. */
import { HostUnavailable } from "./extractor-host.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import type { Pipeline } from "../pipeline.ts";

/** Of one request; a handful of tries inside the tool would only hide the site's answer. */
const REQUEST_RETRIES = 1;

/** A silent connection is found out by the stall watch; the tool's own limit stands behind it. */
const SOCKET_TIMEOUT_MARGIN_SECONDS = 5;

/**
 * Nothing of the machine's own set-up is read, nothing is run but the script runtime, and everything
 * fetched goes through the proxy. ffmpeg is kept from it: yt-dlp would hand it addresses.
 */
export function commonArgs(pipeline: Pipeline, proxyUrl: string): string[] {
  const { tools, limits } = pipeline;
  return [
    "--ignore-config",
    "--no-plugin-dirs",
    "--no-update",
    "--no-cache-dir",
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

/** Ends as {@link runBoundedTool} does. */
export async function runYtDlp(pipeline: Pipeline, call: YtDlpCall, signal: AbortSignal): Promise<ToolOutcome> {
  const { tools, limits, extractorHost } = pipeline;
  const command: ToolCommand = {
    ...call,
    path: tools.ytDlpPath,
    killGraceMs: limits.killGraceMs,
    maxMemoryBytes: limits.maxToolMemoryBytes,
    maxOutputBytes: limits.maxInfoBytes,
  };
  // Lines are read as they come from a process of its own only.
  if (extractorHost && !call.onLine) {
    try {
      return await extractorHost.run(command, signal);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
    }
  }
  return runBoundedTool(command, signal);
}
