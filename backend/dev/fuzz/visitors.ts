/** The visitors who send the requests: without an account, signed in, and on Pro. */
import { z } from "zod";
import type { Tier } from "../../../common/tiers.ts";
import { isActive, Job } from "../../../common/job.ts";
import { BatchAnswer } from "../../../common/api.ts";
import { persist } from "../outages/persistent-calls.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "../testing/test-device.ts";

export interface FuzzVisitor {
  readonly device: TestDevice;
  /** A job of this visitor, mostly a finished one. */
  readonly job: string;
  readonly failedJob: string;
  readonly batch: string;
  /** Ids; empty without an account. */
  readonly token: string;
  readonly webhook: string;
  /** An open session of long polling. */
  readonly session: string;
}

export interface VisitorSettings {
  readonly origin: string;
  /** The video that they convert. */
  readonly link: string;
  /** A video that cannot be converted. */
  readonly deadLink: string;
  setTier(email: string, tier: Tier): Promise<void>;
}

const Made = z.object({ id: z.string() });
/** `tokens` or `webhooks`. */
const Listed = z.record(z.string(), z.array(Made));

const PEOPLE: readonly (readonly [email: string, tier: Tier] | null)[] = [
  null,
  null,
  ["free@fuzz.example", "free"],
  ["pro@fuzz.example", "pro"],
  ["other-pro@fuzz.example", "pro"],
];

/** @throws Error when the server does not let a visitor in */
export async function openVisitors(settings: VisitorSettings): Promise<Visitor[]> {
  const visitors: Visitor[] = [];
  for (const person of PEOPLE) {
    const visitor = new Visitor(await openDevice(settings.origin), person, settings);
    await visitor.refresh();
    visitors.push(visitor);
  }
  return visitors;
}

export class Visitor implements FuzzVisitor {
  job = "";
  failedJob = "";
  batch = "";
  token = "";
  webhook = "";
  session = "";
  readonly device: TestDevice;
  readonly #person: (typeof PEOPLE)[number];
  readonly #settings: VisitorSettings;

  constructor(device: TestDevice, person: (typeof PEOPLE)[number], settings: VisitorSettings) {
    this.device = device;
    this.#person = person;
    this.#settings = settings;
  }

  /**
   * Does again what random requests undo: signs in, makes a token and a webhook, converts, opens a session of long
   * polling. It is repeated where a busy server asks to come back.
   */
  async refresh(): Promise<void> {
    await persist(() => this.#refreshOnce());
  }

  async #refreshOnce(): Promise<void> {
    if (this.#person) {
      await this.#signIn(...this.#person);
      this.token = await this.#ownOrNew("/api/tokens", { name: "fuzz", scopes: ["read"] });
      this.webhook = await this.#ownOrNew("/api/webhooks", { url: "https://receiver.invalid/" });
    }
    this.job = await this.#convert(this.#settings.link);
    if (this.failedJob === "") this.failedJob = await this.#convert(this.#settings.deadLink);
    if (this.#person?.[1] === "pro") await this.#convertBatch();
    const opened = await fetch(`${this.#settings.origin}/socket.io/?EIO=4&transport=polling`, {
      headers: { cookie: this.device.cookie },
    });
    this.session = /"sid":"([^"]+)"/.exec(await opened.text())?.[1] ?? "";
  }

  async #signIn(email: string, tier: Tier): Promise<void> {
    const user = await this.device.call("GET", "/api/auth/user");
    await user.body?.cancel();
    if (!user.ok) {
      await walkThroughSignIn(this.device, { email });
      await this.#settings.setTier(email, tier);
    }
  }

  /** @returns the id of one of the account's tokens or webhooks; "" where the session has ended again */
  async #ownOrNew(path: string, input: object): Promise<string> {
    const listed = Listed.safeParse(await (await this.device.call("GET", path)).json());
    const id = listed.data && Object.values(listed.data).flat()[0]?.id;
    if (id !== undefined) return id;
    const made = await this.device.call("POST", path, input);
    return Made.safeParse(await made.json()).data?.id ?? "";
  }

  /** @returns the id of a job that has ended, unless a random request has taken it away */
  async #convert(link: string): Promise<string> {
    const { id } = await this.device.convert(link);
    await this.#untilEnded(id);
    return id;
  }

  async #convertBatch(): Promise<void> {
    const urls = [this.#settings.link, `${this.#settings.link}?other`];
    const answer = await this.device.call("POST", "/api/batch-conversions", { urls });
    // The tier may not have arrived yet.
    if (answer.status !== 201) {
      await answer.body?.cancel();
      return;
    }
    const { batchId, jobs } = BatchAnswer.parse(await answer.json());
    this.batch = batchId;
    await Promise.all(jobs.map(({ id }) => this.#untilEnded(id)));
  }

  async #untilEnded(id: string): Promise<void> {
    for (;;) {
      const answer = await this.device.call("GET", `/api/conversions/${id}`);
      // A random request that the server took late may have removed the job, or ended the session.
      if (!answer.ok) {
        await answer.body?.cancel();
        return;
      }
      if (!isActive(Job.parse(await answer.json()).status)) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

const POLL_MS = 100;
