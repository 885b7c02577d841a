import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../repository.ts";
import { checkedFiles, forbiddenImports } from "./forbidden-imports.ts";
import { HANDLE_TOOL_FILES, MAY_IMPORT, OPEN_OTHER_FILES, ORDERS } from "./table.ts";

const foldersOf = (file: string): string[] => {
  const folder = dirname(file);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
};

const quotedNames = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

it.each([
  ["common/job.ts", "node:fs"],
  ["common/job.ts", "mongoose"],
  ["common/job.ts", "../backend/domain/jobs/work.ts"],
  ["backend/domain/jobs/work.ts", "../../http/app.ts"],
  ["backend/domain/jobs/work.ts", "../../storage/disk-store.ts"],
  ["backend/domain/jobs/work.ts", "../../config/config.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../../config/config.ts"],
  ["backend/pipeline/convert.ts", "../runtime/metrics.ts"],
  ["backend/worker/worker.ts", "../runtime/scratch.ts"],
  ["backend/runtime/scratch.ts", "../dev/setup/tools.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../../http/app.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../../server.ts"],
  ["backend/pipeline/convert.ts", "../domain/jobs/work.ts"],
  ["backend/pipeline/mp3/parallel-encode.ts", "../../domain/jobs/work.ts"],
  ["backend/pipeline/mp3/parallel-encode.ts", "../../server.ts"],
  ["backend/pipeline/probe/extraction.ts", "../encode/encode.ts"],
  ["backend/pipeline/probe/tags.ts", "../part/part.ts"],
  ["backend/pipeline/part/part.ts", "../plan/fetch-plan.ts"],
  ["backend/pipeline/subtitles/cues.ts", "../encode/encode.ts"],
  ["backend/pipeline/sponsors/segments.ts", "../encode/encode.ts"],
  ["backend/pipeline/fetch/retry.ts", "../sponsors/segments.ts"],
  ["backend/pipeline/webm/elements.ts", "../fetch/retry.ts"],
  ["backend/pipeline/probe/extraction.ts", "../../extractor/renewal.ts"],
  ["backend/extractor/renewal.ts", "../runtime/folder-lock.ts"],
  ["backend/extractor/renewal.ts", "../config/config.ts"],
  ["backend/worker/worker.ts", "../extractor/renewal.ts"],
  ["backend/storage/disk-store.ts", "../domain/jobs/work.ts"],
  ["backend/backup/write-backup.ts", "../config/config.ts"],
  ["backend/backup/write-backup.ts", "../runtime/folder-lock.ts"],
  ["backend/domain/jobs/work.ts", "../../backup/write-backup.ts"],
  ["backend/http/app.ts", "../backup/write-backup.ts"],
  ["backend/commands/backup.ts", "../dev/database/embedded-database.ts"],
  ["backend/http/app.ts", "../worker/worker.ts"],
  ["backend/http/app.ts", "../pipeline/convert.ts"],
  ["backend/http/routes/account-routes.ts", "../../worker/worker.ts"],
  ["backend/http/routes/account-routes.ts", "../app.ts"],
  ["backend/http/middleware/limit.ts", "../every-request/errors.ts"],
  ["backend/http/middleware/limit.ts", "../../worker/worker.ts"],
  ["backend/http/every-request/errors.ts", "../routes/site-routes.ts"],
  ["backend/http/api-description/examples.ts", "../app.ts"],
  ["backend/realtime/realtime.ts", "../storage/disk-store.ts"],
  ["backend/worker/worker.ts", "../http/app.ts"],
  ["backend/worker/worker.ts", "../dev/setup/tools.ts"],
  ["backend/worker/worker.ts", "../redis/redis-bus.ts"],
  ["backend/domain/bus.ts", "../redis/redis-bus.ts"],
  ["backend/redis/redis-bus.ts", "../worker/worker.ts"],
  ["backend/redis/redis-bus.ts", "../config/config.ts"],
  ["backend/mail/smtp-mailer.ts", "../config/config.ts"],
  ["backend/mail/smtp-mailer.ts", "../http/app.ts"],
  ["backend/domain/contact/send-message.ts", "../../mail/smtp-mailer.ts"],
  ["backend/http/routes/contact-routes.ts", "../../mail/smtp-mailer.ts"],
  ["backend/domain/jobs/change.ts", "@opentelemetry/api"],
  ["backend/domain/billing/checkout/checkout.ts", "@opentelemetry/api"],
  ["backend/http/every-request/errors.ts", "@opentelemetry/api"],
  ["backend/worker/runner.ts", "@opentelemetry/sdk-trace"],
  ["backend/pipeline/convert.ts", "@opentelemetry/api"],
  ["backend/server.ts", "@opentelemetry/sdk-trace"],
  ["backend/runtime/metrics/metrics.ts", "@opentelemetry/api"],
  ["backend/server.ts", "./dev/setup/tools.ts"],
  ["frontend/src/app/main.tsx", "../../../backend/config/config.ts"],
  ["frontend/src/stores/jobs.ts", "../client/client.ts"],
  ["frontend/command-line/download.ts", "../../backend/storage/file-store.ts"],
  ["frontend/command-line/download.ts", "../src/api/api.ts"],
  ["frontend/command-line/download.ts", "../extension/settings.ts"],
  ["frontend/api-client/api-call.ts", "node:timers/promises"],
  ["frontend/api-client/api-call.ts", "../command-line/command-error.ts"],
  ["frontend/extension/converter.ts", "../command-line/job-feed.ts"],
  ["frontend/extension/converter.ts", "../src/api/api.ts"],
  ["frontend/extension/texts/en.ts", "../../src/texts/en.ts"],
  ["frontend/extension/converter.ts", "../../backend/storage/file-store.ts"],
  ["frontend/extension/converter.ts", "node:fs"],
  ["frontend/src/features/queue/Queue.tsx", "../../pages/HomePage.tsx"],
  ["backend/pipeline/opus/opus-group.ts", "../encode/encode.ts"],
  ["backend/pipeline/errors/wording.ts", "../opus/opus-group.ts"],
  ["backend/pipeline/errors/wording.ts", "../exits/exit.ts"],
  ["backend/pipeline/mp3/frames.ts", "../exits/exit.ts"],
  ["backend/pipeline/exits/exit.ts", "../guard/egress-guard.ts"],
  ["backend/pipeline/probe/tags.ts", "../convert.ts"],
  ["backend/pipeline/probe/tags.ts", "../read-video.ts"],
  ["backend/pipeline/probe/tags.ts", "../../config/config.ts"],
  ["backend/pipeline/mp3/frames.ts", "@opentelemetry/api"],
  ["backend/mail/smtp-mailer.ts", "../storage/file-store.ts"],
  ["backend/config/config.ts", "../runtime/scratch.ts"],
  ["backend/config/config.ts", "../dev/repository.ts"],
  ["backend/runtime/telemetry/open-telemetry.ts", "../../dev/repository.ts"],
  ["backend/commands/backup.ts", "../main.ts"],
  ["backend/server.ts", "../frontend/src/texts/en.ts"],
  ["backend/server.ts", "../docker/test-image.ts"],
  ["frontend/src/app/main.tsx", "../../api-client/api-call.ts"],
  ["frontend/src/app/main.tsx", "../testing/silent-api.ts"],
  ["frontend/src/app/main.tsx", "node:fs"],
  ["frontend/src/live/live.ts", "../ready/tone.ts"],
  ["frontend/src/ready/tone.ts", "../client/client.ts"],
  ["frontend/command-line/download.ts", "../vite.config.ts"],
  ["common/job.ts", "fs"],
  ["common/job.ts", "zone.js"],
])("%s may not import %s", (file, imported) => {
  expect(forbiddenImports(file, `import { thing } from "${imported}";`)).toEqual([
    `${file} may not import ${imported}`,
  ]);
});

it.each([
  ["common/job.ts", "zod"],
  ["backend/domain/jobs/work.ts", "../../../common/job.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../accounts/user-model.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../domain.ts"],
  ["backend/http/app.ts", "../domain/jobs/work.ts"],
  ["backend/http/every-request/errors.ts", "../pages/page.ts"],
  ["backend/http/routes/sign-in-routes.ts", "../sign-in/failure.ts"],
  ["backend/http/routes/sign-in-routes.ts", "../../domain/accounts/sign-in.ts"],
  ["backend/backup/write-backup.ts", "../storage/file-store.ts"],
  ["backend/commands/open-site.ts", "../dev/database/embedded-database.ts"],
  ["backend/worker/worker.ts", "../pipeline/convert.ts"],
  ["backend/extractor/renewal.ts", "../pipeline/pipeline.ts"],
  ["backend/redis/redis-bus.ts", "../domain/bus.ts"],
  ["backend/mail/smtp-mailer.ts", "../domain/contact/contact.ts"],
  ["backend/main.ts", "./dev/prepare-runtime.ts"],
  ["backend/runtime/telemetry/open-telemetry.ts", "@opentelemetry/sdk-trace"],
  ["frontend/src/stores/jobs.ts", "../../../common/job.ts"],
  ["frontend/src/features/queue/Queue.tsx", "../../client/client.ts"],
  ["frontend/command-line/download.ts", "../../common/job.ts"],
  ["frontend/command-line/server-client.ts", "../api-client/api-call.ts"],
  ["frontend/api-client/api-call.ts", "../../common/errors.ts"],
  ["frontend/extension/converter.ts", "../api-client/api-call.ts"],
  ["common/job.ts", "zod/v4"],
  ["backend/domain/jobs/work.ts", "node:crypto"],
  ["backend/pipeline/mp3/parallel-encode.ts", "../opus/opus-group.ts"],
  ["backend/pipeline/guard/egress-guard.ts", "../exits/exit.ts"],
  ["backend/pipeline/guard/egress-guard.ts", "../pipeline.ts"],
  ["backend/pipeline/pipeline.ts", "./fetch/host-semaphore.ts"],
  ["backend/http/middleware/call-router.ts", "../api-description/call.ts"],
  ["backend/commands/backup.ts", "./open-site.ts"],
  ["backend/main.ts", "./server.ts"],
  ["backend/dev/bench/bench.ts", "../../domain/jobs/work.ts"],
  ["frontend/extension/texts/en.ts", "../settings.ts"],
  ["frontend/build/global-styles.ts", "../src/theme/global-styles.tsx"],
])("%s may import %s", (file, imported) => {
  expect(forbiddenImports(file, `import { thing } from "${imported}";`)).toEqual([]);
});

it.each([
  'import "../../http/app.ts";',
  'import type { App } from "../../http/app.ts";',
  'export { createApp } from "../../http/app.ts";',
  'export type * from "../../http/app.ts";',
  'const name = "日本"; await import("../../http/app.ts");',
  "void import(`../../http/app.ts`);",
  'import type { User } from "../accounts/user-model.ts";\nimport { createApp } from "../../http/app.ts";',
])("finds the import of %s", (code) => {
  const file = "backend/domain/jobs/work.ts";
  expect(forbiddenImports(file, code)).toEqual([`${file} may not import ../../http/app.ts`]);
});

it.each(ORDERS)("each folder of $folder imports only those before it", ({ folder, parts }) => {
  for (const [place, part] of parts.entries()) {
    const code = parts.map((other) => `import "../${other}/other.ts";`).join("\n");
    const file = `${folder}/${part}/file.ts`;
    expect(forbiddenImports(file, code)).toEqual(
      parts.slice(place + 1).map((later) => `${file} may not import ../${later}/other.ts`),
    );
  }
});

it.each([
  "shared/dates.ts",
  "backend/payments/pay.ts",
  "backend/pipeline/flac/flac.ts",
  "backend/http/admin/admin.ts",
  "frontend/native/app.ts",
  "frontend/src/hooks/use-job.ts",
])("%s needs a row before it may import or be imported", (file) => {
  expect(forbiddenImports(file, "")).toEqual([`${file} has no row in backend/dev/import-rules/table.ts`]);
  expect(forbiddenImports("backend/dev/bench/bench.ts", `import "../../../${file}";`)).toHaveLength(1);
  expect(forbiddenImports("backend/main.ts", `import "../${file}";`)).toHaveLength(1);
});

it("checks files of every row and of every ordered folder, and no tests", () => {
  const files = checkedFiles(REPOSITORY_ROOT);
  const ordered = ORDERS.flatMap(({ folder, shared, parts }) =>
    [...shared, ...parts].map((part) => `${folder}/${part}`),
  );
  const named = new Set(files.flatMap((file) => [file, `${dirname(file)}/*`, ...foldersOf(file)]));
  expect([...Object.keys(MAY_IMPORT), ...ordered].filter((row) => !named.has(row))).toEqual([]);
  expect(files.filter((file) => file.includes(".test."))).toEqual([]);
});

it.each(HANDLE_TOOL_FILES)("a file of %s opens files by the module for tool files alone", (folder) => {
  const file = `${folder}/probe/new.ts`;
  for (const code of [
    'import { open, type FileHandle } from "node:fs/promises";',
    'import { createReadStream } from "node:fs";',
    'import * as fs from "fs";',
    'export { rename } from "node:fs/promises";',
    'await import("node:fs");',
  ])
    expect(forbiddenImports(file, code)).toHaveLength(1);
  expect(forbiddenImports(file, 'import type { FileHandle } from "node:fs/promises";')).toEqual([]);
  expect(forbiddenImports(file, 'import { openFile } from "../../tool-files/tool-files.ts";')).toEqual([]);
});

it.each(Object.keys(OPEN_OTHER_FILES))("%s opens files that are no tool files", async (file) => {
  expect(await readFile(join(REPOSITORY_ROOT, file), "utf8")).toMatch(/^import \{.*\} from "node:fs/m);
});

it("the README states the rules", async () => {
  const readme = await readFile(join(REPOSITORY_ROOT, "README.md"), "utf8");
  const [table = ""] = /^\| Folder \| What is in it \| May import \|\n(?:\|.*\n)+/m.exec(readme) ?? [];
  const rows = [...table.matchAll(/^\| (`.*`) \| (.*) \| (.*) \|$/gm)].map(
    ([, folders = "", content = "", imports]) => ({
      folders: quotedNames(folders).map((name) => name.replace(/\/$/, "").replace("*.ts", "*")),
      parts: quotedNames(/named before it: (.*)/.exec(content)?.[1] ?? ""),
      imports,
    }),
  );
  expect(rows.flatMap(({ folders, imports }) => folders.map((folder) => [folder, imports]))).toEqual(
    Object.entries(MAY_IMPORT).map(([row, names]) => [row, names.join(", ").replaceAll("backend/", "")]),
  );
  expect(
    rows.filter(({ parts }) => parts.length > 0).map(({ folders, parts }) => ({ folder: folders[0], parts })),
  ).toEqual(ORDERS.map(({ folder, parts }) => ({ folder, parts })));
});
