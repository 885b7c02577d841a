/** What a builder of the image gets to see. `npm run test:image` asks a real builder the same. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../repository.ts";
import { PLANTED_SECRETS } from "./planted-secrets.ts";

interface Rule {
  readonly pattern: RegExp;
  readonly isLetIn: boolean;
}

/** The syntax that the file uses, of docs.docker.com/build/concepts/context: the last rule that fits a path decides. */
function rulesOf(text: string): Rule[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const isLetIn = line.startsWith("!");
    const steps = line.slice(isLetIn ? 1 : 0).split("/");
    if (!steps.every((step) => step === "**" || /^[\w.*-]+$/.test(step)))
      throw new RangeError(`this test does not know the syntax of ${line}`);
    const source = steps.map((step) =>
      step === "**" ? "(?:[^/]+/)*" : `${step.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}/`,
    );
    // A rule that fits a folder fits all below it.
    return { isLetIn, pattern: new RegExp(`^${source.join("")}`) };
  });
}

const rules = rulesOf(await readFile(join(REPOSITORY_ROOT, ".dockerignore"), "utf8"));
const isInContext = (path: string): boolean =>
  rules.findLast(({ pattern }) => pattern.test(`${path}/`))?.isLetIn ?? true;

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(REPOSITORY_ROOT, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(REPOSITORY_ROOT.length + 1));
}

it("has no secret of an operator in it", () => {
  expect(PLANTED_SECRETS.filter(isInContext)).toEqual([]);
});

it("has no pages that this machine has built", () => {
  const built = ["frontend/dist/index.html", "frontend/dist/assets/index.css", "frontend/dist-extension/popup.html"];
  expect(built.filter(isInContext)).toEqual([]);
});

it("begins with nothing", () => {
  expect(rules[0]).toEqual({ pattern: /^[^/]*\//, isLetIn: false });
});

it("has what the Dockerfile copies, and every source file", async () => {
  const dockerfile = await readFile(join(REPOSITORY_ROOT, "docker", "Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from|\. )(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  const sources = (await Promise.all(["backend", "common", "frontend/src", "frontend/build"].map(filesIn))).flat();
  const needed = [
    ...copied,
    ...(await filesIn("frontend/public")),
    ...sources.filter((file) => /\.(?:py|tsx?|css|woff2)$/.test(file)),
  ];
  expect(needed.length).toBeGreaterThan(1_000);
  expect(needed.filter((file) => !isInContext(file))).toEqual([]);
});

it("keeps the operator's file for compose out of the checkout", async () => {
  const one = await readFile(join(REPOSITORY_ROOT, "docker", "one", "compose.yaml"), "utf8");
  for (const [, path] of one.matchAll(/env_file: \[\{ path: (.+?),/g)) expect(path).toBe("/etc/tapedeck.env");
  expect(one).toContain("env_file");
  const manual = await readFile(join(REPOSITORY_ROOT, "docker", "README.md"), "utf8");
  expect(manual).toContain("export COMPOSE_ENV_FILES=/etc/");
  expect(manual).not.toMatch(/> *(?:docker\/|\.\/)?\.env/);
});
