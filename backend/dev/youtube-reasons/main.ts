/**
 * Names the reasons of a yt-dlp that nobody has judged, with what the table of failures makes of them now. Each belongs
 * into judged-reasons.ts, and where the table is wrong, a rule into youtube-rules.ts.
 */
import { parseArgs } from "node:util";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { readReasons, unjudged } from "./installed-reasons.ts";
import { judgementOfReason } from "./judgement.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const { ytDlpPath } = await prepareToolsOfCheckout((line) => process.stdout.write(`${line}\n`));
const reasons = await readReasons(ytDlpPath, positionals[0]);
const open = unjudged(reasons);
for (const reason of open) process.stdout.write(`${reason[0]} "${reason[1]}": ${judgementOfReason(reason)}\n`);
process.stdout.write(`${open.length} of ${reasons.length} reasons are not judged\n`);
if (open.length > 0) process.exitCode = 1;
