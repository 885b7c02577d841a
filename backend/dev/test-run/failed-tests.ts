import { z } from "zod";

/** The JSON report of Vitest, as far as it is read. */
const UnitReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** The JSON report of Playwright, as far as it is read: suites within suites. */
const Spec = z.object({ title: z.string(), ok: z.boolean(), file: z.string() });
const Suite = z.object({
  specs: z.array(Spec).default([]),
  get suites(): z.ZodDefault<z.ZodArray<typeof Suite>> {
    return z.array(Suite).default([]);
  },
});
const BrowserReport = z.object({ suites: z.array(Suite) });

/**
 * @param report of Vitest or Playwright; undefined when that part of a run was not reached
 * @returns "FILE: TEST" of each failed test, and "FILE: MESSAGE" of a file that failed as a whole
 */
export function failedTests(report: unknown): string[] {
  const unit = UnitReport.safeParse(report);
  if (unit.success)
    return unit.data.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
      const [firstLine = ""] = message.split("\n");
      return (status === "failed" && failed.length === 0 ? [firstLine] : failed).map((test) => `${name}: ${test}`);
    });
  const browser = BrowserReport.safeParse(report);
  return browser.success ? browser.data.suites.flatMap(failedSpecs) : [];
}

function failedSpecs({ specs, suites }: z.infer<typeof Suite>): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`);
  return [...own, ...suites.flatMap(failedSpecs)];
}
