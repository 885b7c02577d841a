/** Lint rules say which folder may import which. This tests the rules themselves. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapedeck-import-rules-"));
  await cp(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function lint(file: string, imported: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `import { thing } from "${imported}";\nexport const again = thing;\n`);
  const report = await new Promise<string>((done) => {
    execFile(
      join(ROOT, "node_modules/.bin/oxlint"),
      ["-c", ".oxlintrc.json", file],
      { cwd: folder },
      (_error, stdout) => done(stdout),
    );
  });
  await rm(path);
  return report;
}

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
  ["backend/http/middleware/limit.ts", "../edge/errors.ts"],
  ["backend/http/middleware/limit.ts", "../../worker/worker.ts"],
  ["backend/http/edge/errors.ts", "../routes/site-routes.ts"],
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
  ["backend/http/edge/errors.ts", "@opentelemetry/api"],
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
])("%s may not import %s", async (file, imported) => {
  expect(await lint(file, imported)).toContain("no-restricted-imports");
});

it.each([
  ["common/job.ts", "zod"],
  ["backend/domain/jobs/work.ts", "../../../common/job.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../accounts/user-model.ts"],
  ["backend/domain/billing/checkout/checkout.ts", "../../domain.ts"],
  ["backend/http/app.ts", "../domain/jobs/work.ts"],
  ["backend/http/edge/errors.ts", "../pages/page.ts"],
  ["backend/http/routes/account-routes.ts", "../sign-in/failure.ts"],
  ["backend/http/routes/account-routes.ts", "../../domain/accounts/sign-in.ts"],
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
])("%s may import %s", async (file, imported) => {
  expect(await lint(file, imported)).not.toContain("no-restricted-imports");
});
