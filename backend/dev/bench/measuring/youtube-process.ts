/**
 * `node youtube-process.ts DATA_DIR FFMPEG SECONDS`: a YouTube-shaped site as a process, so that its CPU time is not
 * counted as ours. Each message "requests" is answered with the requests since the last one, by exit.
 */
import { z } from "zod";
import { YouTubeSite } from "../../stand-ins/youtube-site/youtube-site.ts";

export const YouTubeOrder = z.object({
  /** PEM. */
  certificate: z.string(),
  /** Proxies that lead to the site, by who uses them. */
  proxies: z.object({ ours: z.string(), ytDlp: z.string() }),
});

const Requests = z.array(z.object({ kind: z.string(), fromMs: z.number(), toMs: z.number() }));
export const RequestsByExit = z.object({ ours: Requests, ytDlp: Requests });

const [dataDir, ffmpegPath, seconds] = process.argv.slice(2);
if (process.send && dataDir !== undefined && ffmpegPath !== undefined) {
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const site = await YouTubeSite.start({ dataDir, ffmpegPath, report }, Number(seconds));
  const [ours, ytDlp] = [await site.openExit("ours"), await site.openExit("ytDlp")];
  process.on("message", () => {
    const by = Object.groupBy(site.requests, ({ exit }) => exit);
    process.send?.({ ours: by["ours"] ?? [], ytDlp: by["ytDlp"] ?? [] });
    site.reset();
  });
  process.once("disconnect", () => void site.stop());
  const proxies = { ours: ours.proxyUrl, ytDlp: ytDlp.proxyUrl };
  process.send({ certificate: site.certificate, proxies } satisfies z.infer<typeof YouTubeOrder>);
}
