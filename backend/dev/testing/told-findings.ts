/** A conversion whose listener is a test: all that it was told comes with the file. */
import { findingsOf, type Findings } from "../../../common/findings.ts";
import type { ConversionWork, Found } from "../../pipeline/conversion.ts";
import { convert, type ConvertedFile } from "../../pipeline/convert.ts";

export type MadeFile = ConvertedFile & Findings;

/** Converts as `convert` does. @returns the file, with the last that the listener was told of each finding */
export async function convertAsTold(work: ConversionWork): Promise<MadeFile> {
  const told: Findings = {};
  const found = (what: Found): void => {
    Object.assign(told, findingsOf(what));
    work.listener.found(what);
  };
  const file = await convert({ ...work, listener: { ...work.listener, found } });
  return { ...file, ...told };
}
