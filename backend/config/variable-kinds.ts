/** The kinds of environment variables: each function makes one variable from its description and bounds. */
import { z } from "zod";

export interface Variable<T = unknown> {
  /** Parses the text. The message of an issue says what the variable must be. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** The default as text; empty when there is none. */
  readonly default: string;
  readonly about: string;
  /** Shown in the documentation when the default is computed. */
  readonly defaultAs?: string | undefined;
  /** The value is left out of error messages, because those are logged. */
  readonly isSecret?: true | undefined;
}

type Extra = Pick<Variable, "defaultAs" | "isSecret">;

/** @param expected what the variable must be, such as "an address such as https://tapedeck.example" */
export function optionalText(
  about: string,
  isValid: (value: string) => boolean,
  expected: string,
  extra: Extra = {},
): Variable<string | undefined> {
  const schema = z
    .string()
    .default("")
    .transform((value) => trimmed(value))
    .refine((value) => value === undefined || isValid(value), expected);
  return { schema, default: "", about, ...extra };
}

/** A blank text is the same as the default. */
export function textWithDefault(
  about: string,
  fallback: string,
  isValid: (value: string) => boolean,
  expected: string,
): Variable<string> {
  const schema = z
    .string()
    .default(fallback)
    .transform((value) => trimmed(value) ?? fallback)
    .refine(isValid, expected);
  return { schema, default: fallback, about };
}

/** Any text. A blank text is undefined, even if there is a default. */
export function text(about: string, fallback = "", defaultAs?: string): Variable<string | undefined> {
  const schema = z
    .string()
    .default(fallback)
    .transform((value) => trimmed(value));
  return { schema, default: fallback, about, defaultAs };
}

export function secret(about: string): Variable<string | undefined> {
  return { ...text(about), isSecret: true };
}

/** @param prefixes the key must begin with one of them */
export function secretKey(about: string, prefixes: readonly string[]): Variable<string | undefined> {
  const isKey = (value: string): boolean =>
    prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length);
  return optionalText(about, isKey, `a key that begins with ${prefixes.join(" or ")}`, { isSecret: true });
}

export function isEmailAddress(value: string): boolean {
  return z.email().safeParse(value).success;
}

export function email(about: string, defaultAs: string): Variable<string | undefined> {
  return optionalText(about, isEmailAddress, "an address such as support@tapedeck.example", { defaultAs });
}

/** @param protocols a pattern of `URL.protocol`, such as /^https?:$/ */
export function address(
  about: string,
  protocols: RegExp,
  example: string,
  extra: Extra = {},
): Variable<string | undefined> {
  const isAddress = (value: string): boolean => URL.canParse(value) && protocols.test(new URL(value).protocol);
  return optionalText(about, isAddress, `an address such as ${example}`, extra);
}

export function whole(about: string, fallback: number, min: number, max: number, defaultAs?: string): Variable<number> {
  const schema = z
    .string()
    .default(String(fallback))
    .transform((value) => trimmed(value) ?? String(fallback))
    .refine((value) => isWhole(value, min, max), `a whole number from ${min} to ${max}`)
    .transform(Number);
  return { schema, default: String(fallback), about, defaultAs };
}

export function optionalWhole(
  about: string,
  min: number,
  max: number,
  defaultAs: string,
): Variable<number | undefined> {
  const schema = z
    .string()
    .default("")
    .transform((value) => trimmed(value))
    .refine((value) => value === undefined || isWhole(value, min, max), `a whole number from ${min} to ${max}`)
    .transform((value) => (value === undefined ? undefined : Number(value)));
  return { schema, default: "", about, defaultAs };
}

export function oneOf<const T extends readonly string[]>(
  about: string,
  options: T,
  fallback: T[number],
): Variable<T[number]> {
  const schema = z
    .string()
    .default(fallback)
    .transform((value) => trimmed(value) ?? fallback)
    .refine((value): value is T[number] => options.includes(value), `one of ${options.join(", ")}`);
  return { schema, default: fallback, about };
}

export function optionalOneOf<const T extends readonly string[]>(
  about: string,
  options: T,
  defaultAs?: string,
): Variable<T[number] | undefined> {
  const schema = z
    .string()
    .default("")
    .transform((value) => trimmed(value))
    .refine(
      (value): value is T[number] | undefined => value === undefined || options.includes(value),
      `one of ${options.join(", ")}`,
    );
  return { schema, default: "", about, defaultAs };
}

/** @returns undefined for a blank text */
function trimmed(value: string): string | undefined {
  return value.trim() === "" ? undefined : value.trim();
}

function isWhole(value: string, min: number, max: number): boolean {
  return /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
}
