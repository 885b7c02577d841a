/** Prints what the extractors of the installed yt-dlp, or of the one in a folder, give and need. */
import { parseArgs } from "node:util";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { countKinds, kindTable } from "./extractor-kinds.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const { ytDlpPath } = await prepareToolsOfCheckout((line) => process.stdout.write(`${line}\n`));
process.stdout.write(kindTable(await countKinds(ytDlpPath, positionals[0])));
