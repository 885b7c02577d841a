/** What yt-dlp loads from the operator's plugin folder. */
import path from "node:path";
import type { Work } from "../pipeline/pipeline.ts";
import { pluginFolderArgs, runYtDlp } from "../pipeline/probe/yt-dlp.ts";

export interface PluginList {
  /** Names of folders or archives, and of the extractors in them. */
  readonly loaded: readonly string[];
  /** Modules that yt-dlp could not import. */
  readonly failed: readonly string[];
}

const FOLDERS = /^\[debug\] Plugin directories: (.+)$/m;
const CLASSES = /^\[debug\] (?:Extractor|Post-Processor) Plugins: (.+)$/gm;
const FAILURES = /^Error while importing module '([\w.]+)'/gm;

/**
 * Asks yt-dlp.
 * @param pipeline has one folder of plugins
 * @param folder working folder of the call
 */
export async function listPlugins(work: Work, folder: string): Promise<PluginList> {
  const { pipeline } = work;
  // Without a link, yt-dlp prints this and ends.
  const args = ["--ignore-config", ...pluginFolderArgs(pipeline), "--no-update", "--color=never", "--verbose"];
  const call = { args, folder, timeoutMs: pipeline.limits.probeTimeoutMs };
  const { stderrTail } = await runYtDlp(work, call);
  const folders = namesIn(FOLDERS.exec(stderrTail)?.[1]).filter((name) => path.isAbsolute(name));
  return {
    // The folder or archive that holds yt_dlp_plugins has the plugin's name.
    loaded: [
      ...folders.map((name) => path.basename(path.dirname(name))),
      ...[...stderrTail.matchAll(CLASSES)].flatMap(([, classes]) => namesIn(classes)),
    ],
    failed: [...stderrTail.matchAll(FAILURES)].map(([, name = ""]) => name),
  };
}

function namesIn(list = ""): readonly string[] {
  return list.split(", ").filter((name) => name !== "");
}
