/**
 * Each folder (`*`: the files that lie directly in it) and what it may import beside itself. `the above` means all rows
 * above. A row that names a package allows no other package, and nothing of Node. Files without a row may neither
 * import nor be imported. The README's table "Where things are" says the same. Tests and contracts may import anything.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  common: ["zod"],
  "backend/domain": ["common"],
  "backend/pipeline": ["common"],
  "backend/extractor": ["common", "backend/pipeline"],
  "backend/storage": ["common"],
  "backend/http": ["common", "backend/domain", "backend/storage"],
  "backend/backup": ["common", "backend/domain", "backend/storage"],
  "backend/mail": ["common", "backend/domain"],
  "backend/realtime": ["common", "backend/domain"],
  "backend/worker": ["common", "backend/domain", "backend/pipeline", "backend/storage"],
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
  "errors process progress mp4 webm aac opus mp3 exits guard extractor-host probe part plan fetch subtitles sponsors verify encode";
const HTTP = "middleware pages edge files sign-in routes";
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
