/** The visitors who send the requests: without an account, signed in, and on Pro. */
import { CreatedToken } from "../../../common/token-calls.ts";
import { setTier } from "../testing/change-accounts.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "../testing/test-device.ts";
import type { ServerUnderFuzz } from "./server-under-fuzz.ts";

export interface FuzzVisitor {
  readonly device: TestDevice;
  /** A finished job. */
  readonly job: string;
}

/** @throws Error when the server does not let a visitor in */
export async function openVisitors({ origin, mongodbUri, link }: ServerUnderFuzz): Promise<FuzzVisitor[]> {
  const visitors: FuzzVisitor[] = [];
  for (const tier of [null, "free", "pro"] as const) {
    const device = await openDevice(origin);
    if (tier !== null) {
      const email = `${tier}@fuzz.example`;
      await walkThroughSignIn(device, { email });
      await setTier(mongodbUri, email, tier);
    }
    const { id } = await device.convert(link);
    await (await device.live()).untilStatus(id, "completed");
    // Sockets at the end are those that the server has kept.
    device.close();
    visitors.push({ device, job: id });
  }
  return visitors;
}

/** @returns a token of a signed-in visitor, with all scopes */
export async function openToken(visitor: FuzzVisitor | undefined): Promise<string> {
  const wanted = { name: "fuzz", scopes: ["read", "convert", "download"] };
  const answer = await visitor?.device.call("POST", "/api/tokens", wanted);
  return CreatedToken.parse(await answer?.json()).secret;
}
