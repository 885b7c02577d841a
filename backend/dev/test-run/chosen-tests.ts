/**
 * Which tests a run has, chosen by the variable TESTS and told by the name of the file:
 * `fast` (default) all but `*.full.*`; `full` these too; `cluster` also those that need S3-compatible storage.
 */
import { z } from "zod";

// A full test that is named on the command line runs without TESTS. The processes of the run read the variable.
if (process.argv.some((argument) => /\.full\b/.test(argument))) process.env["TESTS"] ||= "full";

export const CHOSEN_TESTS = z
  .enum(["fast", "full", "cluster"])
  .default("fast")
  .parse(process.env["TESTS"] || undefined);

export const WITH_FULL_TESTS = CHOSEN_TESTS !== "fast";
