/** Starts the sample site on the port of the last start, so that links of earlier jobs still lead to it. */
import { readFile, writeFile } from "node:fs/promises";
import { startSampleSite, type SampleSite, type SampleSiteOptions } from "./sample-site.ts";

/**
 * @param file keeps the port
 * @returns the site; on a free port when the kept one is taken, for instance by another server on the same data folder
 */
export async function startOnSamePort(file: string, options: Omit<SampleSiteOptions, "port">): Promise<SampleSite> {
  const port = await readPort(file);
  if (port !== undefined)
    try {
      return await startSampleSite({ ...options, port });
    } catch (error) {
      if (!hasCode(error, "EADDRINUSE")) throw error;
      return startSampleSite(options);
    }
  const site = await startSampleSite(options);
  await writeFile(file, `${new URL(site.origin).port}\n`);
  return site;
}

/** @returns undefined without a file, or with one that holds no port */
async function readPort(file: string): Promise<number | undefined> {
  try {
    const port = Number((await readFile(file, "utf8")).trim());
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
