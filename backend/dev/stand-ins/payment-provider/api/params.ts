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
/** Metadata, or an empty string that removes all of it. */
export const emptiableMetadata = z.union([metadata, z.literal("").transform(() => null)]);

/** Parameters of every call that answers with one object. */
const common = { expand: z.array(z.string()).max(20).optional() };
const page = {
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
};

export function params<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ ...common, ...shape });
}

export function listParams<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ ...common, ...page, ...shape });
}

/** A time in seconds, or a range. */
export const timeRange = z.union([
  integer,
  z.strictObject({ gt: integer.optional(), gte: integer.optional(), lt: integer.optional(), lte: integer.optional() }),
]);

export function isWithin(seconds: number, range: z.infer<typeof timeRange> | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return seconds === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return seconds > gt && seconds >= gte && seconds < lt && seconds <= lte;
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

/** Merges as the API does: an empty value removes its key, null removes all keys. */
export function mergeMetadata(
  present: Record<string, string>,
  given: Record<string, string> | null | undefined,
): Record<string, string> {
  if (given === undefined) return present;
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...present, ...given }).filter(([, value]) => value !== ""));
}
