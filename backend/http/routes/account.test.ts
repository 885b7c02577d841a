import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { io } from "socket.io-client";
import { describe, expect, it } from "vitest";
import { JobList, User } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { ServerEvents } from "../../../common/events.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { leadConversions } from "../../dev/testing/led-conversion.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";

const logLines: string[] = [];
const held = leadConversions(2_000);
const server: TestServer = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      settings: { realtime: { sessionCheckMs: 100, tierPollMs: 100 } },
      onLogLine: (line) => logLines.push(line),
    },
    undefined,
    (request, ...rest) =>
      request.url === server.site.urlOf("held")
        ? held.convert(request, ...rest)
        : convertWithoutTools(request, ...rest),
  ),
);

const statusOf = async (device: TestDevice, path = "/api/auth/user") => (await device.call("GET", path)).status;
const listOf = async (device: TestDevice) => JobList.parse(await (await device.call("GET", "/api/conversions")).json());

/**
 * @returns the names of stored files and folders of a job. Folders are not read, because those of other jobs may be
 *   deleted at the same time.
 */
async function storedFilesOf({ id }: Job): Promise<string[]> {
  const names = await Promise.all(["files", "scratch"].map((folder) => readdir(join(server.config.dataDir, folder))));
  return names.flat().filter((name) => name.includes(id));
}

async function signedIn(email: string): Promise<TestDevice> {
  const device = await server.newDevice();
  await server.signIn(device, { email });
  return device;
}

async function next<E extends keyof ServerEvents>(
  device: TestDevice,
  event: E,
  fits: (payload: Parameters<ServerEvents[E]>[0]) => boolean = () => true,
): Promise<Parameters<ServerEvents[E]>[0]> {
  const socket = (await device.live()).socket as unknown as NodeJS.EventEmitter;
  return new Promise((resolve) => {
    const listener = (payload: Parameters<ServerEvents[E]>[0]) => {
      if (!fits(payload)) return;
      socket.off(event, listener);
      resolve(payload);
    };
    socket.on(event, listener);
  });
}

describe("signing in", () => {
  it("adopts the jobs of the device, and no others", async () => {
    const device = await server.newDevice();
    const stranger = await server.newDevice();
    const theirs = await stranger.convert(server.site.urlOf("slow"));
    const job = await device.convert(server.site.urlOf("slow"), "mp4");
    const before = await device.live();
    const back = next(device, "identity", ({ authenticated }) => authenticated);
    await server.signIn(device, { email: "adopt@example.com" });
    await back;
    expect((await listOf(device)).map(({ id }) => id)).toEqual([job.id]);
    const elsewhere = await signedIn("adopt@example.com");
    const view = await elsewhere.live();
    expect(view.jobs().map(({ id }) => id)).toEqual([job.id]);
    // The job is still running: both devices get its pushes, and both may cancel it.
    await elsewhere.call("DELETE", `/api/conversions/${job.id}`);
    await Promise.all([before.untilStatus(job.id, "canceled"), view.untilStatus(job.id, "canceled")]);
    expect(await statusOf(elsewhere, `/api/conversions/${theirs.id}`)).toBe(404);
    await stranger.call("DELETE", `/api/conversions/${theirs.id}`);
  });

  it("shows the jobs of a user on both devices", async () => {
    const one = await signedIn("two@example.com");
    const two = await signedIn("two@example.com");
    const view = await two.live();
    const job = await one.convert(server.site.urlOf("slow"));
    await view.until(job.id, () => true);
    await two.call("DELETE", `/api/conversions/${job.id}`);
    expect(await (await one.live()).untilStatus(job.id, "canceled")).toMatchObject({ attempt: 1 });
  });
});

describe("signing out", () => {
  it("ends the session, closes its sockets and leaves the other device signed in", async () => {
    const one = await signedIn("out@example.com");
    const two = await signedIn("out@example.com");
    const job = await one.convert(server.site.urlOf("slow"));
    expect((await (await one.live()).until(job.id, () => true)).id).toBe(job.id);
    const stale = one.cookie;
    const anonymous = next(one, "identity", ({ authenticated }) => !authenticated);
    const emptied = next(one, "snapshot");
    const answer = await one.call("GET", "/api/logout");
    expect(await answer.json()).toEqual({ success: true });
    await anonymous;
    expect((await emptied).jobs).toEqual([]);
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200]);
    expect((await fetch(`${server.origin}/api/auth/user`, { headers: { cookie: stale } })).status).toBe(401);
    await two.call("DELETE", `/api/conversions/${job.id}`);
  });

  it("redirects a navigation to the home page", async () => {
    const device = await signedIn("nav@example.com");
    const answer = await device.visit("/api/logout");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/?logged_out=true"]);
    expect(await statusOf(device)).toBe(401);
  });

  const PAGE = { accept: "text/html,application/xhtml+xml" };
  const CALL = { accept: "application/json" };
  const own = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("OWN", server.origin)]));
  /** Stays signed in. */
  let tricked: TestDevice | undefined;
  it.each<[string, Record<string, string>, number, string | null]>([
    ["a link of another site", { ...PAGE, "sec-fetch-site": "cross-site" }, 302, "/"],
    ["a link of a site of the same domain", { ...PAGE, "sec-fetch-site": "same-site" }, 302, "/"],
    ["a link in an older browser", { ...PAGE, referer: "https://evil.example/" }, 302, "/"],
    ["a link in an older browser that hides where it is", PAGE, 302, "/"],
    ["a call of another site", { ...CALL, "sec-fetch-site": "cross-site" }, 403, null],
    ["a call of a site of the same domain", { ...CALL, "sec-fetch-site": "same-site" }, 403, null],
    ["a call of an older browser", { ...CALL, referer: "https://evil.example/" }, 403, null],
    ["an invalid referrer", { ...PAGE, referer: "http://[" }, 302, "/"],
    ["a picture in an older browser that hides where it is", { accept: "image/*" }, 403, null],
    ["a page without an origin", { ...CALL, origin: "null", referer: "OWN/" }, 403, null],
    ["a program by GET", CALL, 403, null],
  ])("is not done by %s, and no sign-in begins there", async (_, headers, status, location) => {
    const device = (tricked ??= await signedIn("tricked@example.com"));
    const ask = (path: string) =>
      fetch(`${server.origin}${path}`, { headers: { ...own(headers), cookie: device.cookie }, redirect: "manual" });
    const answer = await ask("/api/logout");
    expect([answer.status, answer.headers.get("location")]).toEqual([status, location]);
    expect(await statusOf(device)).toBe(200);
    expect((await ask("/api/login")).headers.get("location")).toBe("/login");
  });

  it.each<[string, "GET" | "POST", Record<string, string>, number]>([
    ["a link of our page", "GET", { ...PAGE, "sec-fetch-site": "same-origin" }, 302],
    ["the address bar", "GET", { ...PAGE, "sec-fetch-site": "none" }, 302],
    ["a link of our page in an older browser", "GET", { ...PAGE, referer: "OWN/dashboard" }, 302],
    ["a call of our page", "GET", { ...CALL, "sec-fetch-site": "same-origin", referer: "OWN/pro" }, 200],
    ["a call of our page in an older browser", "GET", { ...CALL, referer: "OWN/pro" }, 200],
    ["a POST", "POST", { ...CALL, origin: "OWN", "content-type": "application/json" }, 200],
  ])("is done by %s", async (_, method, headers, status) => {
    const device = await signedIn("leaving@example.com");
    const answer = await fetch(`${server.origin}/api/logout`, {
      method,
      headers: { ...own(headers), cookie: device.cookie },
      redirect: "manual",
    });
    expect(answer.status).toBe(status);
    expect(await statusOf(device)).toBe(401);
  });

  it("everywhere closes the sockets of every device", async () => {
    const one = await signedIn("all@example.com");
    const two = await signedIn("all@example.com");
    await Promise.all([one.live(), two.live()]);
    const gone = [one, two].map((device) => next(device, "identity", ({ authenticated }) => !authenticated));
    expect(await (await one.call("POST", "/api/logout-everywhere")).json()).toEqual({ success: true });
    await Promise.all(gone);
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 401]);
    expect((await one.call("POST", "/api/logout-everywhere")).status).toBe(401);
  });
});

it("the log has each sign-in, sign-out, deletion and failed sign-in, and users only by their id", async () => {
  const device = await server.newDevice();
  const before = logLines.length;
  const signInAgain = async (): Promise<string> => {
    await server.signIn(device, { email: "logged@example.com", firstName: "Loggia" });
    return User.parse(await (await device.call("GET", "/api/auth/user")).json()).id;
  };
  const userId = await signInAgain();
  await device.call("POST", "/api/logout");
  // Nobody is signed in, so nobody is signed out.
  await device.call("POST", "/api/logout");
  await device.visit("/api/sign-in/provider/callback?code=x&state=y");
  await signInAgain();
  await device.call("POST", "/api/logout-everywhere");
  await signInAgain();
  await device.call("DELETE", "/api/account", { confirmation: "delete my account" });
  const lines = logLines.slice(before);
  const entries = lines
    .map((line) => JSON.parse(line) as { level: number; msg: string; userId?: string; code?: string; jobId?: string })
    // Jobs of the tests before may end late.
    .filter(({ jobId }) => jobId === undefined);
  expect(entries.map(({ level, msg, userId: user, code }) => [level, msg, user ?? code])).toEqual([
    [30, "a user signed in", userId],
    [30, "a user signed out", userId],
    [40, expect.stringMatching(/^a sign-in failed: /), "expired"],
    [30, "a user signed in", userId],
    [30, "a user signed out everywhere", userId],
    [30, "a user signed in", userId],
    [30, "an account was deleted by its user", userId],
  ]);
  expect(lines.join("")).not.toMatch(/logged@example|Loggia|tapedeck\.session/);
});

describe("cookies", () => {
  it("give no access when forged, swapped, stale or of another device, by call and by socket", async () => {
    const device = await signedIn("cookies@example.com");
    const other = await signedIn("other@example.com");
    const read = (cookie: string, name: string) =>
      new RegExp(`(?:^|; )${name.replace(".", "\\.")}=([^;]+)`).exec(cookie)?.[1] ?? "";
    const of = (own: TestDevice) => ({
      device: ["tapedeck.device", "tapedeck.device.sig"].map((name) => `${name}=${read(own.cookie, name)}`).join("; "),
      id: read(own.cookie, "tapedeck.session"),
      signature: read(own.cookie, "tapedeck.session.sig"),
    });
    const mine = of(device);
    const theirs = of(other);
    const ask = async (cookie: string) =>
      (await fetch(`${server.origin}/api/auth/user`, { headers: { cookie } })).status;
    const listen = async (cookie: string) => {
      const socket = io(server.origin, {
        extraHeaders: { cookie },
        transports: ["websocket"],
        forceNew: true,
        reconnection: false,
      });
      try {
        return await new Promise<string[]>((resolve) => {
          socket.once("snapshot", ({ jobs }: { jobs: Job[] }) => resolve(jobs.map(({ id }) => id)));
          socket.once("connect_error", () => resolve([]));
        });
      } finally {
        socket.disconnect();
      }
    };
    const job = await device.convert(server.site.urlOf("slow"));
    const good = `${mine.device}; tapedeck.session=${mine.id}; tapedeck.session.sig=${mine.signature}`;
    expect([await ask(good), await listen(good)]).toEqual([200, [job.id]]);
    for (const cookie of [
      `${mine.device}; tapedeck.session=${mine.id}`,
      `${mine.device}; tapedeck.session=${mine.id}; tapedeck.session.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA`,
      `${mine.device}; tapedeck.session=${theirs.id}; tapedeck.session.sig=${mine.signature}`,
      `${theirs.device}; tapedeck.session=${mine.id}; tapedeck.session.sig=${mine.signature}`,
      `tapedeck.session=${mine.id}; tapedeck.session.sig=${mine.signature}`,
    ])
      expect([cookie, await ask(cookie), await listen(cookie)]).toEqual([cookie, 401, []]);
    // The cookie is stale after signing out.
    await device.call("DELETE", `/api/conversions/${job.id}`);
    await device.call("GET", "/api/logout");
    expect([await ask(good), await listen(good)]).toEqual([401, []]);
  });
});

describe("an expired session", () => {
  it("makes the browser anonymous during a job, and the job continues", async () => {
    const device = await signedIn("expiry@example.com");
    const view = await device.live();
    const job = await device.convert(server.site.urlOf("held"));
    await view.untilStatus(job.id, "processing");
    const anonymous = next(device, "identity", ({ authenticated }) => !authenticated);
    await server.expireSessions("expiry@example.com");
    await anonymous;
    expect(await statusOf(device)).toBe(401);
    await server.signIn(device, { email: "expiry@example.com" });
    await (await held.next(server.site.urlOf("held"))).finish();
    await (await device.live()).untilStatus(job.id, "completed");
  });
});

describe("a connection that reconnects", () => {
  /** Closes the connection without a disconnect packet, runs `action`, and reconnects. */
  async function whileDisconnected(
    device: TestDevice,
    action: () => Promise<unknown>,
  ): Promise<{ isRecovered: boolean; received: Job[]; snapshot: Job[]; authenticated: boolean }> {
    const { socket } = await device.live();
    const down = new Promise((resolve) => socket.once("disconnect", resolve));
    socket.io.reconnection(false);
    socket.io.engine.close();
    await down;
    await action();
    socket.io.opts.extraHeaders = { cookie: device.cookie };
    const received: Job[] = [];
    socket.on("job", (job) => received.push(job));
    const identity = next(device, "identity");
    const snapshot = next(device, "snapshot");
    socket.connect();
    return {
      authenticated: (await identity).authenticated,
      snapshot: (await snapshot).jobs,
      isRecovered: socket.recovered,
      received,
    };
  }

  it("after signing out gets no push of the user's jobs", async () => {
    const device = await signedIn("recover@example.com");
    const other = await signedIn("recover@example.com");
    const first = await other.convert(server.site.urlOf("slow"));
    await (await device.live()).until(first.id, () => true);
    const back = await whileDisconnected(device, async () => {
      await other.call("DELETE", `/api/conversions/${first.id}`);
      await device.call("GET", "/api/logout");
    });
    expect(back).toEqual({ isRecovered: false, authenticated: false, snapshot: [], received: [] });
  });

  it("after signing in gets a snapshot with all jobs of the user", async () => {
    const device = await server.newDevice();
    const job = await device.convert(server.site.urlOf("slow"));
    await (await device.live()).until(job.id, () => true);
    const elsewhere = await signedIn("recover-in@example.com");
    const theirs = await elsewhere.convert(server.site.urlOf("slow"));
    const back = await whileDisconnected(device, () => server.signIn(device, { email: "recover-in@example.com" }));
    expect(back.authenticated).toBe(true);
    expect(back.snapshot.map(({ id }) => id).sort()).toEqual([job.id, theirs.id].sort());
    // From now on it also gets pushes of jobs of the other device.
    await elsewhere.call("DELETE", `/api/conversions/${theirs.id}`);
    await (await device.live()).untilStatus(theirs.id, "canceled");
    await elsewhere.call("DELETE", `/api/conversions/${job.id}`);
  });
});

describe("a change of tier", () => {
  it("is pushed to every connected browser of the user", async () => {
    const device = await signedIn("tier@example.com");
    await device.live();
    const pro = next(device, "identity", ({ tier }) => tier === "pro");
    await server.setTier("tier@example.com", "pro");
    expect(await pro).toEqual({ tier: "pro", authenticated: true });
    expect(User.parse(await (await device.call("GET", "/api/auth/user")).json()).tier).toBe("pro");
    expect((await device.convert(server.site.urlOf("rain"))).quality).toBe("320kbps");
    const free = next(device, "identity", ({ tier }) => tier === "free");
    await server.setTier("tier@example.com", "free");
    await free;
  });
});

describe("an account", () => {
  it("can be exported", async () => {
    const device = await signedIn("export@example.com");
    const job = await device.convert(server.site.urlOf("rain"));
    const answer = await device.call("GET", "/api/account/export");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      user: { email: "export@example.com" },
      conversions: [{ id: job.id }],
      sessions: [{}],
    });
    expect(text).not.toContain(/tapedeck\.session=([^;]+)/.exec(device.cookie)?.[1]);
    expect(await statusOf(await server.newDevice(), "/api/account/export")).toBe(401);
  });

  it("is deleted only within ten minutes after its user was asked at the identity provider", async () => {
    const MINUTE_MS = 60 * 1_000;
    const device = await signedIn("careful@example.com");
    const remove = async () => {
      const answer = await device.call("DELETE", "/api/account", { confirmation: "delete my account" });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    await server.ageSessions("careful@example.com", 10 * MINUTE_MS + 1_000);
    expect(await remove()).toEqual([403, "fresh_sign_in_required"]);
    expect(await statusOf(device)).toBe(200);
    const begun = await device.visit("/api/login?fresh");
    const sent = new URL(begun.headers.get("location") ?? "").searchParams;
    expect([sent.get("prompt"), sent.get("max_age")]).toEqual(["login", "0"]);
    await server.signIn(device, { email: "careful@example.com" });
    await server.ageSessions("careful@example.com", 9 * MINUTE_MS);
    expect(await remove()).toEqual([200, undefined]);
    expect(await statusOf(device)).toBe(401);
  });

  it("that is deleted is signed out everywhere, and its files and jobs are gone", async () => {
    const one = await signedIn("delete@example.com");
    const two = await signedIn("delete@example.com");
    const view = await two.live();
    // A new link, so that no other job shares the file.
    const done = await one.convert(`${server.site.urlOf("rain")}?v=unshared`);
    await view.untilStatus(done.id, "completed");
    const running = await one.convert(server.site.urlOf("slow"));
    expect(await storedFilesOf(done)).not.toEqual([]);
    // Its folder goes right after the job is completed.
    await expect
      .poll(() => readdir(join(server.config.dataDir, "scratch")))
      .not.toContainEqual(expect.stringContaining(done.id));
    expect((await one.call("DELETE", "/api/account", { confirmation: "yes" })).status).toBe(400);
    const gone = next(two, "identity", ({ authenticated }) => !authenticated);
    expect(await (await one.call("DELETE", "/api/account", { confirmation: "delete my account" })).json()).toEqual({
      success: true,
    });
    expect(await storedFilesOf(done)).toEqual([]);
    await gone;
    for (const device of [one, two]) {
      expect(await statusOf(device)).toBe(401);
      for (const { id } of [done, running]) expect(await statusOf(device, `/api/conversions/${id}`)).toBe(404);
      expect(await listOf(device)).toEqual([]);
    }
    // The same person may sign in again, as a new user.
    await server.signIn(one, { email: "delete@example.com" });
    expect(await listOf(one)).toEqual([]);
  });
});
