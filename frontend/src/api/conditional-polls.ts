import { z } from "zod";
import { DeviceInfo, JobList } from "../../../common/api.ts";
import type { Snapshot } from "../../../common/merge.ts";
import { SiteStatus } from "../../../common/site-status.ts";
import { ApiError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";

/** Response of a poll for jobs; the time is null if the server did not send it. */
export interface PolledList {
  readonly jobs: Snapshot["jobs"];
  readonly asOf: string | null;
}

/** Polls with ETags: each gives null while nothing has changed since its own last response. */
export class ConditionalPolls {
  private readonly client: HttpClient;
  private listTag: string | null = null;
  private deviceTag: string | null = null;
  private statusTag: string | null = null;

  constructor(client: HttpClient) {
    this.client = client;
  }

  async list(signal?: AbortSignal): Promise<PolledList | null> {
    const response = await this.client.send("/api/conversions", { signal, etag: this.listTag });
    if (response.status === 304) return null;
    const jobs = JobList.parse(await response.json());
    this.listTag = response.headers.get("etag");
    return { jobs, asOf: z.iso.datetime().safeParse(response.headers.get("x-as-of")).data ?? null };
  }

  async deviceInfo(signal?: AbortSignal): Promise<DeviceInfo | null> {
    const response = await this.client.send("/api/device-info", { signal, etag: this.deviceTag });
    if (response.status === 304) return null;
    const info = DeviceInfo.parse(await response.json());
    this.deviceTag = response.headers.get("etag");
    return info;
  }

  /** @returns null also from a server of a version that does not know the call */
  async siteStatus(signal?: AbortSignal): Promise<SiteStatus | null> {
    try {
      const response = await this.client.send("/api/site-status", { signal, etag: this.statusTag });
      if (response.status === 304) return null;
      const status = SiteStatus.parse(await response.json());
      this.statusTag = response.headers.get("etag");
      return status;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }
}
