/** Names each import that `table.ts` forbids. `npm run check` runs it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { REPOSITORY_ROOT } from "../repository.ts";
import { checkedFiles, forbiddenImports } from "./forbidden-imports.ts";

for (const file of checkedFiles(REPOSITORY_ROOT)) {
  for (const sentence of forbiddenImports(file, readFileSync(path.join(REPOSITORY_ROOT, file), "utf8"))) {
    process.stdout.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}
