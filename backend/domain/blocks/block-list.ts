/** The block list in memory, as every process asks it for each request, job and connection. */
import { ConversionError, exactly, UserError } from "../../../common/errors.ts";
import type { VideoOrigin } from "../../../common/video-origin.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { isAboutVideos, type BlockKind } from "../../../common/block-kinds.ts";
import type { StoredBlock } from "./block-model.ts";
import { NetworkTable } from "./network-table.ts";
import { hostSubjects, subjectCode, subjectsOf } from "./subjects.ts";

type Entry = Pick<StoredBlock, "kind" | "value" | "until" | "also">;
type JobFacts = Pick<StoredJob, "sourceUrl" | "subjects" | "deviceId" | "userId">;

interface Tables {
  /** Entries about videos, by their code. */
  readonly subjects: ReadonlyMap<string, Entry>;
  readonly devices: ReadonlyMap<string, Entry>;
  /** By user id, and by email address. */
  readonly users: ReadonlyMap<string, Entry>;
  readonly networks: NetworkTable<Entry>;
}

export class BlockList {
  readonly #onRefused: (kind: BlockKind) => void;
  readonly #handlers = new Set<() => void>();
  #tables: Tables = tablesOf([], new Map());

  /** @param onRefused called for each refusal */
  constructor(onRefused: (kind: BlockKind) => void = () => undefined) {
    this.#onRefused = onRefused;
  }

  /**
   * Replaces the whole list.
   * @param emails the email addresses of users that have one of the listed addresses, by user id
   */
  replace(entries: readonly Entry[], emails: ReadonlyMap<string, string> = new Map()): void {
    this.#tables = tablesOf(entries, emails);
    for (const handler of this.#handlers) handler();
  }

  /** Calls the handler after each change. @returns ends this */
  onChange(handler: () => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** @throws ConversionError "blocked" for a link whose video or host is blocked */
  requireLink(link: string): void {
    this.requireSubjects(subjectsOf(link));
  }

  /** @throws ConversionError "blocked" */
  requireSubjects(subjects: readonly string[]): void {
    const entry = this.#findSubject(subjects);
    if (!entry) return;
    this.#onRefused(entry.kind);
    throw new ConversionError("blocked");
  }

  /** @throws ConversionError "blocked" for a video whose id, channel or one of whose hosts is blocked */
  requireVideo(link: string, origin: VideoOrigin): void {
    this.requireSubjects(subjectsOf(link, origin));
  }

  /** Whether a connection to the host must be refused. Counts a refusal. */
  refusesHost(host: string): boolean {
    const entry = this.#findSubject(hostSubjects(host));
    if (entry) this.#onRefused(entry.kind);
    return entry !== undefined;
  }

  /** @throws UserError "access_blocked" for a viewer whose user or device is blocked */
  requireViewer(viewer: Pick<Viewer, "deviceId" | "userId" | "email">): void {
    this.#refuseVisitor(this.#findUser(viewer) ?? this.#findDevice(viewer.deviceId));
  }

  /** @throws UserError "access_blocked" */
  requireDevice(deviceId: string): void {
    this.#refuseVisitor(this.#findDevice(deviceId));
  }

  /** @throws UserError "access_blocked" for an address in a blocked network */
  requireNetwork(address: string): void {
    this.#refuseVisitor(this.#findNetwork(address));
  }

  /** Whether sockets of the viewer and the address must be closed. Counts no refusal. */
  isVisitorBlocked(viewer: Pick<Viewer, "deviceId" | "userId" | "email"> | undefined, address: string): boolean {
    const byViewer = viewer && (this.#findUser(viewer) ?? this.#findDevice(viewer.deviceId));
    return (byViewer ?? this.#findNetwork(address)) !== undefined;
  }

  /** @returns why a job may not run; undefined when it may. Counts a refusal. */
  refusalOf(job: JobFacts): ConversionError | undefined {
    const subject = this.#findSubject(job.subjects ?? subjectsOf(job.sourceUrl));
    const owner = this.#findUser(job) ?? this.#findDevice(job.deviceId);
    const entry = subject ?? owner;
    if (!entry) return undefined;
    this.#onRefused(entry.kind);
    return refusalBy(entry.kind);
  }

  #refuseVisitor(entry: Entry | undefined): void {
    if (!entry) return;
    this.#onRefused(entry.kind);
    throw new UserError("access_blocked");
  }

  #findSubject(subjects: readonly string[]): Entry | undefined {
    const { subjects: table } = this.#tables;
    if (table.size === 0) return undefined;
    return firstInForce(subjects.map((code) => table.get(code)));
  }

  #findUser({ userId, email }: { userId: string | null; email?: string | undefined }): Entry | undefined {
    const { users } = this.#tables;
    if (userId === null) return undefined;
    return firstInForce([users.get(userId), email === undefined ? undefined : users.get(email.toLowerCase())]);
  }

  #findDevice(deviceId: string): Entry | undefined {
    return firstInForce([this.#tables.devices.get(deviceId)]);
  }

  #findNetwork(address: string): Entry | undefined {
    return firstInForce(this.#tables.networks.find(address));
  }
}

/** @returns the error of a job that ends because of an entry of this kind */
export function refusalBy(kind: BlockKind): ConversionError {
  return new ConversionError("blocked", isAboutVideos(kind) ? {} : exactly("owner_blocked"));
}

/** @returns what an entry about videos is compared by */
export const codesOf = ({ kind, value, also = [] }: Pick<Entry, "kind" | "value" | "also">): string[] => [
  subjectCode(kind, value),
  ...also,
];

function firstInForce(entries: readonly (Entry | undefined)[]): Entry | undefined {
  const nowMs = Date.now();
  return entries.find((entry) => entry && (entry.until === null || entry.until.getTime() > nowMs));
}

function tablesOf(entries: readonly Entry[], emails: ReadonlyMap<string, string>): Tables {
  const subjects = new Map<string, Entry>();
  const devices = new Map<string, Entry>();
  const users = new Map<string, Entry>();
  const networks = new NetworkTable<Entry>();
  for (const entry of entries) {
    if (isAboutVideos(entry.kind)) {
      for (const code of codesOf(entry)) if (!subjects.has(code)) subjects.set(code, entry);
    } else if (entry.kind === "network") networks.add(entry.value, entry);
    else (entry.kind === "device" ? devices : users).set(entry.value, entry);
  }
  for (const [userId, email] of emails) {
    const entry = users.get(email);
    if (entry && !users.has(userId)) users.set(userId, entry);
  }
  return { subjects, devices, users, networks };
}
