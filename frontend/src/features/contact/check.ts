/** What a message has to say before it counts as written. */
import { z } from "zod";

/** In the order in which they are offered. */
export const SUBJECTS = ["technical", "billing", "feature", "bug", "general", "partnership"] as const;

const Filled = z.string().trim().min(1);

/** Every field of the form, in the order in which they stand. */
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

/** `emailFormat` when there is an address, but none that could be written to. */
export type Problem = Field | "emailFormat";

/** What is wrong with each field; fields in order have no entry. */
export function checkDraft(draft: Draft): Partial<Record<Field, Problem>> {
  const wrong = FIELDS.filter((field) => !SHAPES[field].safeParse(draft[field]).success);
  return Object.fromEntries(
    wrong.map((field) => [field, field === "email" && draft.email.trim() !== "" ? "emailFormat" : field]),
  );
}
