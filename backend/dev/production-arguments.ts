/** Arguments for node with which `npm start` and the image run the server. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { REPOSITORY_ROOT } from "./repository.ts";

export async function productionNodeArguments(): Promise<string[]> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string().startsWith("exec node ") }) })
    .parse(JSON.parse(await readFile(join(REPOSITORY_ROOT, "package.json"), "utf8")));
  const production = scripts.start.split(" ").slice(2);
  return production.filter((argument) => argument !== "backend/main.ts");
}
