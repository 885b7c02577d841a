/** Dangerous means of the languages that the product does without, apart from files that are named here. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../repository.ts";

const FOLDERS = [
  "backend",
  "common",
  "frontend/api-client",
  "frontend/command-line",
  "frontend/extension",
  "frontend/src",
];

interface Unused {
  readonly what: string;
  readonly code: RegExp;
  /** Files that have it, of which the reason stands beside it. */
  readonly files?: readonly string[];
}

const UNUSED: readonly Unused[] = [
  // The `eval` of Redis runs our own scripts.
  { what: "code made of a text", code: /(?<!commands\.)\beval\(|\bnew Function\(|\b__import__\(/ },
  {
    what: "HTML made of a text",
    code: /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
  },
  { what: "command line for a shell", code: /\bshell: true|\bexecSync\(|os\.system|shell=True/ },
  {
    what: "pattern made of a text",
    code: /\bnew RegExp\(/,
    files: [
      // Of names that the code gives.
      "backend/http/middleware/declared-call.ts",
      "backend/http/pages/page.ts",
      "backend/pipeline/fetch/hls-playlist.ts",
      "backend/pipeline/probe/kept-info.ts",
      // Of other patterns.
      "backend/pipeline/subtitles/plain-line.ts",
      "backend/pipeline/subtitles/timed-blocks.ts",
      // Of a name that the code gives.
      "backend/pipeline/subtitles/timed-markup.ts",
      // Of other patterns.
      "common/download-name.ts",
      "common/links/find-addresses.ts",
      "common/links/lone-ids.ts",
    ],
  },
  { what: "object that a text chooses", code: /node:v8|\bpickle\b|\bmarshal\.|yaml\.load\b/ },
  {
    what: "connection without a look at the certificate",
    code: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|CERT_NONE|check_hostname|verify=False/,
    // To a mail server within a network of the operator's own.
    files: ["backend/mail/smtp-mailer.ts"],
  },
  { what: "listener for messages of other windows", code: /addEventListener\("message"|\bonmessage\b/ },
  {
    what: "hash other than SHA-256",
    code: /createHash\("(?!sha256)|createHmac\("(?!sha256)/,
    // Tags of answers, which say whether a browser has the newest one.
    files: ["backend/http/middleware/revalidate.ts", "backend/http/pages/page.ts"],
  },
];

const NO_PRODUCT = /^backend\/dev\/|\.(?:test|contract)\.tsx?$|\/testing\//;

async function readSources(): Promise<{ file: string; code: string }[]> {
  const folders = FOLDERS.map(async (folder) =>
    (await readdir(join(REPOSITORY_ROOT, folder), { recursive: true })).map((name) => `${folder}/${name}`),
  );
  const files = (await Promise.all(folders)).flat().filter((file) => /\.(?:tsx?|py)$/.test(file));
  const ours = files.filter((file) => !NO_PRODUCT.test(file));
  return await Promise.all(
    ours.map(async (file) => ({ file, code: await readFile(join(REPOSITORY_ROOT, file), "utf8") })),
  );
}

const sources = await readSources();

it.each(UNUSED)("product code has no $what", ({ code, files = [] }) => {
  expect(sources.length).toBeGreaterThan(600);
  expect(
    sources
      .filter((source) => code.test(source.code))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(files.toSorted());
});
