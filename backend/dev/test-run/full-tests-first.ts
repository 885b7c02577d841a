import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the full tests first: a long file that starts last would run alone at the end. */
export class FullTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFull = ({ moduleId }: TestSpecification): boolean => moduleId.includes(".full.");
    return [...sorted.filter(isFull), ...sorted.filter((file) => !isFull(file))];
  }
}
