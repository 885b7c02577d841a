/** Runs before the tests: fetches missing programs and shows the progress, outside the time limit of any test. */
import { prepareChromium } from "./setup/chromium-set-up.ts";
import { prepareMinio } from "./setup/go-programs.ts";
import { repositoryDataDir } from "./repository.ts";
import { prepareRedis } from "./setup/debian-programs.ts";
import { SetUpError } from "./setup/set-up-error.ts";
import { IS_S3_TESTED } from "./testing/test-storage.ts";
import { prepareSchemathesis } from "./setup/schemathesis-set-up.ts";
import { prepareStripeMock } from "./setup/go-programs.ts";
import { prepareToolsOfCheckout } from "./setup/tools.ts";

const report = (line: string) => process.stdout.write(`${line}\n`);

try {
  const dataDir = repositoryDataDir();
  const tools = await prepareToolsOfCheckout(report);
  const chromiumPath = await prepareChromium({ dataDir, report });
  const stripeMockPath = await prepareStripeMock({ dataDir, report });
  const schemathesisPath = await prepareSchemathesis({ dataDir, report });
  const minioPath = IS_S3_TESTED ? await prepareMinio({ dataDir, report }) : undefined;
  const redisPath = await prepareRedis({ report });
  const programs = [...Object.values(tools), chromiumPath, stripeMockPath, schemathesisPath, redisPath, minioPath];
  report(`Tests run with ${programs.filter((program) => program !== undefined).join(", ")}`);
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
