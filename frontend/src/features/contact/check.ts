import { z } from "zod";

/** In the order of the select. */
export const SUBJECTS = ["technical", "billing", "feature", "bug", "general", "partnership"] as const;

const Filled = z.string().trim().min(1);

/** All fields, in the order of the form. */
export const FIELDS = ["firstName", "lastName", "email", "subject", "message"] as const;
export type Field = (typeof FIELDS)[number];
export type Draft = Readonly<Record<Field, string>>;

export const EMPTY: Draft = { firstName: "", lastName: "", email: "", subject: "", message: "" };

const SHAPES = {
  firstName: Filled,
  lastName: Filled,
  email: z.string().trim().pipe(z.email()),
  subject: z.enum(SUBJECTS),
  message: Filled,
} as const;

/** `emailFormat` for an email address that is present but invalid. */
export type Problem = Field | "emailFormat";

/** Validates the contact form. @returns the problem of each invalid field */
export function checkDraft(draft: Draft): Partial<Record<Field, Problem>> {
  const invalid = FIELDS.filter((field) => !SHAPES[field].safeParse(draft[field]).success);
  return Object.fromEntries(
    invalid.map((field) => [field, field === "email" && draft.email.trim() !== "" ? "emailFormat" : field]),
  );
}
