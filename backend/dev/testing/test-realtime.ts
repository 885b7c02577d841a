/** The Socket.IO server alone, for tests that need no whole server. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Domain } from "../../domain/domain.ts";
import { Realtime, type RealtimeSettings } from "../../realtime/realtime.ts";

/** Patient, and without limits. */
const SETTINGS: Omit<RealtimeSettings, "identify"> = {
  prove: () => ({ deviceId: "device", sessionId: null }),
  isOwnOrigin: () => true,
  cluster: null,
  database: { isUp: () => true, onChange: () => () => undefined },
  siteReports: { status: { failing: [] }, onChange: () => () => undefined },
  operatorView: { readState: () => Promise.reject(new Error("nobody looks")) },
  operatorPushMs: 60_000,
  pushIntervalMs: 0,
  countPush: () => undefined,
  recoveryMs: 60_000,
  sessionCheckMs: 60_000,
  socketsPerDevice: 100,
  socketsPerNetwork: 100,
  identifyMs: 60_000,
  pingIntervalMs: 60_000,
  pingTimeoutMs: 60_000,
  addressOf: () => "192.0.2.1",
  onError: (error) => {
    throw error;
  },
};

export interface TestRealtime {
  readonly http: Server;
  readonly origin: string;
  readonly realtime: Realtime;
}

/** @param settings what identifies browsers, and overrides of the other settings */
export async function startTestRealtime(
  domain: Domain,
  settings: Pick<RealtimeSettings, "identify"> & Partial<RealtimeSettings>,
): Promise<TestRealtime> {
  const http = createServer();
  const realtime = new Realtime(http, domain, { ...SETTINGS, ...settings });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return { http, realtime, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}
