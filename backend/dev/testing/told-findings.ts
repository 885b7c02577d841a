/** A conversion whose listener is a test: all that it was told comes with the file. */
import { findingsOf, type Findings } from "../../../common/findings.ts";
import type { Found } from "../../pipeline/conversion.ts";
import { convert, type ConvertedFile } from "../../pipeline/convert.ts";

export type MadeFile = ConvertedFile & Findings;

/** Converts as `convert` does. @returns the file, with the last that the listener was told of each finding */
export async function convertAsTold(
  ...[request, listener, pipeline, signal]: Parameters<typeof convert>
): Promise<MadeFile> {
  const told: Findings = {};
  const found = (what: Found): void => {
    Object.assign(told, findingsOf(what));
    listener.found(what);
  };
  const file = await convert(request, { ...listener, found }, pipeline, signal);
  return { ...file, ...told };
}
