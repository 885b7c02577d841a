/** What all tests of a file use. */
import { afterAll } from "vitest";

/** Lets what is opened end after the tests of the file. Called at the top of the file, outside its hooks. */
export async function ofFile<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(() => opened[Symbol.asyncDispose]());
  return opened;
}
