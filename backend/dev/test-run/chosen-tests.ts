/**
 * Which tests a run has, chosen by the variable TESTS and told by the name of the file:
 * `fast` (default) all but `*.full.*`; `full` these too; `cluster` also those that need S3-compatible storage.
 */
import { z } from "zod";

const Choice = z.enum(["fast", "full", "cluster"]).default("fast");

export const CHOSEN_TESTS = Choice.parse(process.env["TESTS"] || undefined);

/** A full test that is named on the command line runs without TESTS. */
const isNamed = process.argv.some((argument) => argument.includes(".full."));

export const WITH_FULL_TESTS = CHOSEN_TESTS !== "fast" || isNamed;
