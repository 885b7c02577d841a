/** The sandbox of tools for tests. */
import { openSandbox } from "../../pipeline/process/open-sandbox.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";

let opened: Promise<ToolSandbox> | undefined;

/**
 * @returns one sandbox for all tests of a file
 * @throws Error where this machine has none: the tests of this repository need it
 */
export function openTestSandbox(): Promise<ToolSandbox> {
  opened ??= openSandbox().then(({ sandbox, missing }) => {
    if (sandbox && missing === undefined) return sandbox;
    throw new Error(`the tests need the whole sandbox, but this machine has ${missing}`);
  });
  return opened;
}
