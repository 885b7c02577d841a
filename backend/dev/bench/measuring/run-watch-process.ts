/** `node run-watch-process.ts ROOT_PID [LEFT_OUT ...]`: looks at the processes again and again; see run-watch.ts. */
import { ThreadTree, type RunSample } from "./run-samples.ts";

const LOOK_EVERY_MS = 10;
/** Longer than any stretch that is asked for. */
const KEPT_SAMPLES = 20_000;

const [rootPid = NaN, ...leftOut] = process.argv.slice(2).map(Number);
if (Number.isNaN(rootPid) || process.send === undefined)
  throw new Error("this script is started by the bench, with the root of the processes that it watches");
const nowMs = (): number => performance.timeOrigin + performance.now();
const tree = new ThreadTree(rootPid, [...leftOut, process.pid], nowMs());
let samples: RunSample[] = [];

function look(): void {
  samples.push(tree.look(nowMs()));
  if (samples.length > KEPT_SAMPLES) samples = samples.slice(-KEPT_SAMPLES / 2);
}

setInterval(look, LOOK_EVERY_MS);
process.on("message", (fromMs) => {
  look();
  process.send?.(samples.filter(({ toMs }) => toMs > Number(fromMs)));
});
process.once("disconnect", () => process.exit());
process.send("watching");
