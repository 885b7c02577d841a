/**
 * Runs before the tests: fetches missing programs, makes the sample clips and shows the progress, outside the time limit of
 * any test. What only the full tests need is fetched for them alone.
 */
import { prepareChromium } from "./setup/chromium-set-up.ts";
import { VERSITYGW, STRIPE_MOCK, prepareGoProgram } from "./setup/go-programs.ts";
import { repositoryDataDir } from "./repository.ts";
import { prepareRedis } from "./setup/debian-programs.ts";
import { SetUpError } from "./setup/set-up-error.ts";
import { PODCASTPARSER, SCHEMATHESIS, preparePythonProgram } from "./setup/python-programs.ts";
import { prepareToolsOfCheckout } from "./setup/tools.ts";
import { type ClipCollection, prepareClips, SAMPLE_CLIPS } from "./stand-ins/sample-site/clips.ts";
import { YOUTUBE_CLIPS } from "./stand-ins/youtube-site/clips.ts";
import { CHOSEN_TESTS } from "./test-run/chosen-tests.ts";

const report = (line: string) => process.stdout.write(`${line}\n`);
const options = { dataDir: repositoryDataDir(), report };

/** Else the first tests of a new checkout wait for them. */
const makeClips = async (collection: ClipCollection): Promise<string> =>
  prepareClips({ ...options, ...(await prepareToolsOfCheckout(report)), collection });

type Step = readonly [name: string, prepare: () => Promise<unknown>];
const FAST: readonly Step[] = [
  ["ffmpeg, bubblewrap, yt-dlp", () => prepareToolsOfCheckout(report)],
  ["Chromium", () => prepareChromium(options)],
  ["Redis", () => prepareRedis(options)],
  ["sample clips", () => makeClips(SAMPLE_CLIPS)],
];
const FULL: readonly Step[] = [
  ["YouTube clips", () => makeClips(YOUTUBE_CLIPS)],
  ["stripe-mock", () => prepareGoProgram(STRIPE_MOCK, options)],
  ["schemathesis", () => preparePythonProgram(SCHEMATHESIS, options)],
  ["podcastparser", () => preparePythonProgram(PODCASTPARSER, options)],
];
const CLUSTER: readonly Step[] = [["versitygw", () => prepareGoProgram(VERSITYGW, options)]];
const STEPS = {
  fast: FAST,
  full: [...FAST, ...FULL],
  cluster: [...FAST, ...FULL, ...CLUSTER],
};

try {
  const seconds: string[] = [];
  for (const [name, prepare] of STEPS[CHOSEN_TESTS]) {
    const startedAt = performance.now();
    await prepare();
    seconds.push(`${name} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  }
  report(`Programs for the ${CHOSEN_TESTS} tests are ready: ${seconds.join(", ")}`);
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
