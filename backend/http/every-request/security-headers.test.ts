import { expect, it } from "vitest";
import { createSecurityHeaders } from "./security-headers.ts";

const headersOf = (isSecure: boolean) =>
  createSecurityHeaders({ isSecure, paymentPage: null, distFolder: "/no/such/folder" });

it("tells browsers for a year to use https only, with all subdomains, where the public address is https", async () => {
  const seconds = 365 * 24 * 60 * 60;
  expect(await headersOf(true)).toMatchObject({
    "strict-transport-security": `max-age=${seconds}; includeSubDomains`,
  });
  expect(await headersOf(false)).not.toHaveProperty("strict-transport-security");
});

it("tells other sites no address of ours, and lets none show our pages", async () => {
  const headers = await headersOf(true);
  expect(headers).toMatchObject({ "referrer-policy": "same-origin", "x-content-type-options": "nosniff" });
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["content-security-policy"]).toContain("connect-src 'self'");
  expect(headers["content-security-policy"]).toContain("media-src 'self' blob:");
});
