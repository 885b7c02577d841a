/**
 * The bench's site in a process of its own, so that its work is not counted as ours: `node site-process.ts
 * CLIPS_FOLDER`.
 */
import { startBenchSite } from "./bench-site.ts";

const [clips] = process.argv.slice(2);
if (clips === undefined || process.send === undefined)
  throw new Error("the bench starts this, with the folder of its clips");
const site = await startBenchSite(clips, (line) => process.stderr.write(`${line}\n`));
process.send(site.origins);
// Listening alone keeps no process alive; the bench's side of the channel does, and ends us when it closes.
process.once("disconnect", () => void site.stop());
