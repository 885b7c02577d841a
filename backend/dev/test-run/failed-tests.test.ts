import { expect, it } from "vitest";
import { failedTests } from "./failed-tests.ts";

it("names the failed tests of a report of Vitest, and a file that failed as a whole", () => {
  const assertionResults = [
    { fullName: "adds", status: "passed" },
    { fullName: "subtracts", status: "failed" },
  ];
  const testResults = [
    { name: "a.test.ts", status: "failed", message: "", assertionResults },
    { name: "b.test.ts", status: "failed", message: "left a port behind\nat line 1", assertionResults: [] },
    { name: "c.test.ts", status: "passed", message: "", assertionResults: [] },
  ];
  expect(failedTests({ testResults })).toEqual(["a.test.ts: subtracts", "b.test.ts: left a port behind"]);
});

it("names the failed tests of a report of Playwright, also of suites within suites", () => {
  const spec = (title: string, ok: boolean) => ({ title, ok, file: "home.e2e.ts" });
  const inner = { specs: [spec("cancels", false)] };
  const suites = [{ specs: [spec("converts", true), spec("downloads", false)], suites: [inner] }];
  expect(failedTests({ suites })).toEqual(["home.e2e.ts: downloads", "home.e2e.ts: cancels"]);
});

it("finds nothing in a part that was not reached", () => expect(failedTests(undefined)).toEqual([]));
