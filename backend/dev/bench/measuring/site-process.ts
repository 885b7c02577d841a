/** `node site-process.ts CLIPS_FOLDER`: the bench's site as a process, so that its CPU time is not counted as ours. */
import { startBenchSite } from "./bench-site.ts";

const [clips] = process.argv.slice(2);
if (clips === undefined || process.send === undefined)
  throw new Error("this script is started by the bench, with the folder of its clips");
const site = await startBenchSite(clips, (line) => process.stderr.write(`${line}\n`));
process.send(site.origins);
// The channel to the bench keeps this process alive and ends it when it closes.
process.once("disconnect", () => void site.stop());
