/** Parameters of calls. Unknown parameters are rejected, as in the real API. */
import { z } from "zod";
import { invalidRequest } from "../api-error.ts";

export const text = z.string().max(5_000);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
export const metadata = z.record(z.string().max(40), z.string().max(500));
/** Parameters of every call that answers with one object. */
const common = { expand: z.array(z.string()).max(20).optional() };
export function params<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ ...common, ...shape });
}

/** @throws ApiError 400 with the provider's message */
export function check<S extends z.ZodType>(schema: S, given: unknown): z.infer<S> {
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  if (!issue) throw checked.error;
  const place = (keys: readonly PropertyKey[]) =>
    keys.map((key, depth) => (depth === 0 ? String(key) : `[${String(key)}]`)).join("");
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => place([...issue.path, key]));
    throw invalidRequest(`Received unknown parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`, {
      code: "parameter_unknown",
      param: names[0] ?? "",
    });
  }
  const param = place(issue.path);
  if (valueAt(given, issue.path) === undefined)
    throw invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  const options = issue.code === "invalid_value" ? `: must be one of ${issue.values.map(String).join(", ")}` : "";
  throw invalidRequest(`Invalid ${param}${options}`, { code: "parameter_invalid_empty", param });
}

function valueAt(given: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    given,
  );
}

/** Merges as the API does: an empty value removes its key. */
export function mergeMetadata(
  present: Record<string, string>,
  given: Record<string, string> | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...present, ...given }).filter(([, value]) => value !== ""));
}
