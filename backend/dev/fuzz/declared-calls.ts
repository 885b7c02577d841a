/** What the fuzz and the test of conformance take from the declarations of the API's calls. */
import { addressOf } from "../../http/api-description/call.ts";
import { CALLS } from "../../http/routes/calls.ts";

export const CHECKS: readonly string[] = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

const pathsOf = (isTried: boolean): string[] => [
  ...new Set(CALLS.filter(({ untried }) => (untried === undefined) === isTried).map((call) => addressOf(call)[1])),
];

/** Paths of the calls that tools may make, such as "/api/conversions/:id". */
export const TRIED_PATHS: readonly string[] = pathsOf(true);

/**
 * @param more paths that cannot be tried under the conditions of the caller
 * @returns an option of Schemathesis that leaves them out, and the calls that no tool may make
 */
export function leaveOut(more: readonly string[] = []): string {
  const paths = [...pathsOf(false), ...more].map((path) => path.replaceAll(".", String.raw`\.`));
  return `--exclude-path-regex=^(${paths.join("|")})$`;
}
