/**
 * Each folder (`*`: the files that lie directly in it) and what it may import beside itself. `the above` means all rows
 * above. A row that names a package allows no other package, and nothing of Node. Files without a row may neither
 * import nor be imported. The README's table "Where things are" says the same. Tests and contracts may import anything.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  common: ["zod"],
  "backend/tool-files": ["common"],
  "backend/domain": ["common"],
  "backend/pipeline": ["common", "backend/tool-files"],
  "backend/extractor": ["common", "backend/pipeline"],
  "backend/storage": ["common", "backend/tool-files"],
  "backend/http": ["common", "backend/domain", "backend/storage"],
  "backend/backup": ["common", "backend/domain", "backend/storage"],
  "backend/mail": ["common", "backend/domain"],
  "backend/realtime": ["common", "backend/domain"],
  "backend/worker": ["common", "backend/tool-files", "backend/domain", "backend/pipeline", "backend/storage"],
  "backend/redis": ["common", "backend/domain"],
  "backend/config": ["the above"],
  "backend/runtime": ["the above"],
  "backend/commands": ["the above"],
  "backend/*": ["the above"],
  "backend/main.ts": ["the above", "backend/dev"],
  "backend/commands/open-site.ts": ["the above", "backend/dev"],
  "frontend/api-client": ["common"],
  "frontend/command-line": ["common", "frontend/api-client"],
  "frontend/extension": ["common", "frontend/api-client"],
  "frontend/src": ["common"],
  "frontend/build": ["any"],
  "frontend/e2e": ["any"],
  "frontend/*": ["any"],
  "backend/dev": ["any"],
  docker: ["any"],
};

interface Order {
  folder: string;
  /** Folders and files that all parts may import, and that may import all parts. */
  shared: readonly string[];
  parts: readonly string[];
}

const PIPELINE =
  "errors process progress mp4 webm transport aac opus mp3 exits guard extractor-host probe joined part plan fetch subtitles sponsors verify encode tape";
const HTTP = "middleware pages every-request files sign-in routes";
const APP =
  "platform theme texts first-use api outbox stores live ready actions client components features pages app testing";

/** Folders whose folders import only those named before them. The files beside them come last. */
export const ORDERS: readonly Order[] = [
  { folder: "backend/pipeline", shared: ["pipeline.ts", "limits.ts", "conversion.ts"], parts: PIPELINE.split(" ") },
  { folder: "backend/http", shared: ["api-description"], parts: HTTP.split(" ") },
  { folder: "frontend/src", shared: [], parts: APP.split(" ") },
];

/** Run in browsers, so they import nothing of Node. */
export const WITHOUT_NODE: readonly string[] = ["frontend/api-client", "frontend/extension", "frontend/src"];

/** Packages that only one folder may import, so that the others do not depend on them. */
export const ONLY_IN: Readonly<Record<string, string>> = { "@opentelemetry": "backend/runtime/telemetry" };

/** Folders whose files work with the folders of jobs. */
export const HANDLE_TOOL_FILES: readonly string[] = ["backend/pipeline", "backend/storage", "backend/worker"];

/**
 * Tools write to the folders of jobs, and may leave links and pipes there. So these folders open files by
 * `backend/tool-files`, and only these files import functions of `node:fs` themselves.
 */
export const OPEN_OTHER_FILES: Readonly<Record<string, string>> = {
  "backend/pipeline/extractor-host/extractor-host.ts": "looks at the program of yt-dlp",
  "backend/pipeline/extractor-host/interpreter.ts": "reads the first line of yt-dlp",
  "backend/pipeline/fetch/disk-watch.ts": "reads names and sizes in a job's folder, and follows no link",
  "backend/pipeline/guard/socket-forward.ts": "makes a folder for a socket, which tools only connect to",
  "backend/pipeline/probe/account-cookies.ts": "reads the operator's file; copies of it are opened as tool files",
  "backend/pipeline/probe/parse-worker.ts": "reads from a descriptor that parse-aside.ts has opened",
  "backend/pipeline/probe/player-folder.ts":
    "keeps a folder that tools only read; adds files that no tool writes any more",
  "backend/pipeline/probe/site-cookies.ts": "looks for the operator's files in a folder that no tool sees",
  "backend/pipeline/probe/yt-dlp.ts": "lists the operator's plugins",
  "backend/pipeline/process/free-space.ts": "asks for the free space of a disk",
  "backend/pipeline/process/job-folder.ts": "makes and removes whole folders, before and after their tools run",
  "backend/pipeline/process/open-sandbox.ts": "makes and removes the folder of a system program",
  "backend/pipeline/process/process-memory.ts": "reads /proc",
  "backend/pipeline/process/sandbox-mounts.ts": "looks at programs and libraries of this machine",
  "backend/pipeline/process/tool-niceness.ts": "writes to /proc",
  "backend/pipeline/process/tool-sandbox.ts": "writes a file of its own before a tool starts",
  "backend/storage/disk-store.ts": "keeps a folder that no tool sees; brings files in as tool files",
};
