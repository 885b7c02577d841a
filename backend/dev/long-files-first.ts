import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longer than most, by their path in the repository. Those that use the processor and those that wait
 * take turns, so that the first ones run beside each other without slowing each other down.
 */
const LONG_FILES: readonly string[] = [
  "backend/pipeline/encode/mp3-paths.test.ts",
  "backend/worker/isolation.test.ts",
  "backend/extractor/renewal.test.ts",
  "backend/pipeline/encode/chapter-files.test.ts",
  "backend/main.test.ts",
  "backend/pipeline/part/part.test.ts",
  "backend/pipeline/convert.test.ts",
  "backend/runtime/process-claim.test.ts",
  "backend/pipeline/encode/cut.test.ts",
  "backend/pipeline/encode/joined-picture.test.ts",
  "backend/pipeline/mp3/parallel-encode.test.ts",
  "backend/worker/worker.test.ts",
  "backend/http/api-description/conformance.test.ts",
  "backend/http/routes/tiers.test.ts",
  "backend/realtime/several-processes.test.ts",
  "backend/runtime/telemetry/telemetry.test.ts",
  "backend/pipeline/encode/stream-mp4.test.ts",
  "backend/billing.test.ts",
  "backend/pipeline/encode/mp4-paths.test.ts",
  "backend/realtime/push-order.test.ts",
  "backend/pipeline/sound-formats.test.ts",
  "backend/youtube.test.ts",
  "backend/pipeline/sponsored.test.ts",
  "backend/worker/selections.test.ts",
  "backend/pipeline/encode/chapters-in-files.test.ts",
  "backend/domain/jobs/selections.test.ts",
  "backend/pipeline/aac/plain-aac.test.ts",
  "backend/outage.test.ts",
  "backend/pipeline/encode/sound-quality.test.ts",
  "backend/realtime/realtime.test.ts",
  "backend/pipeline/encode/make-sound.test.ts",
  "backend/operator.test.ts",
  "backend/pipeline/fetch/hostile-server.test.ts",
  "backend/http/sign-in/hostile-provider.test.ts",
  "backend/pipeline/encode/awkward-sources.test.ts",
  "backend/worker/full-disk.test.ts",
  "backend/pipeline/youtube.test.ts",
  "backend/http/routes/account.test.ts",
  "backend/commands/backup-and-restore.test.ts",
  "backend/extractor/renewal-youtube.test.ts",
  "backend/domain/billing/read-back/read-back.test.ts",
  "backend/runtime/metrics/metrics.test.ts",
  "backend/blocks.test.ts",
];

/**
 * Starts the long files first. By itself Vitest starts the largest files first, and knows the seconds that each took
 * only from an earlier run; a long file of few lines would then run alone at the end.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place === -1 ? LONG_FILES.length : place;
    };
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
