/** Shows a page of the app with the fake server. */
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter, useLocation, useNavigate } from "react-router";
import { expect } from "vitest";
import type { User } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import { Providers } from "../app/Providers.tsx";
import { Site } from "../app/routes.tsx";
import * as stores from "../client/stores.ts";
import { liveSocket } from "../client/live.ts";
import { LiveUpdates } from "../live/live.ts";
import { fakeApi, fakeSocket, json } from "./fake-api.ts";
import { makeConfig } from "./sample-answers.ts";

export interface OpenOptions {
  /** Null: nobody is signed in. */
  readonly user?: User | null;
  readonly jobs?: readonly Job[];
  /** False: the first list has no answer. */
  readonly isLoaded?: boolean;
  /** False: the network lets no socket through. */
  readonly hasSocket?: boolean;
}

let close: (() => void) | undefined;

/** The place that the router of the page shows: the address of the window is that of the test. */
let place: { path: string; go: (path: string) => unknown } | undefined;

function Place() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    place = { path: pathname, go: navigate };
  }, [pathname, navigate]);
  return null;
}

/** @returns the path of the page that the test is on */
export const currentPath = (): string | undefined => place?.path;

/** Goes to another page of the site, as a link in the page does. */
export const goTo = (path: string): void => void place?.go(path);

/** Opens a page and waits until it is live. @returns what pushes events of the server to it */
export async function openPage(
  path = "/",
  { user = null, jobs = [], isLoaded = true, hasSocket = true }: OpenOptions = {},
) {
  if (user) {
    const authenticated = { deviceId: "device", authenticated: true, userId: user.id };
    fakeApi.answer("GET /api/device-info", () => json(authenticated));
    fakeApi.answer("GET /api/auth/user", () => json(user));
    fakeApi.answer("GET /api/config", () => json(makeConfig({ tier: user.tier })));
  }
  if (jobs.length > 0) fakeApi.answer("GET /api/conversions", () => json(jobs));
  const { socket, push } = fakeSocket(hasSocket);
  const content = document.body.appendChild(document.createElement("div"));
  const root = createRoot(content);
  const live = new LiveUpdates({
    ...stores,
    socket,
    browser: window,
    page: document,
  });
  close = () => {
    root.unmount();
    content.remove();
    live.stop();
  };
  root.render(
    <Providers>
      <MemoryRouter initialEntries={[path]}>
        <Site />
        <Place />
      </MemoryRouter>
    </Providers>,
  );
  liveSocket.setState(socket, true);
  const started = live.start();
  if (isLoaded) await started;
  // A page that has no answer yet shows an alert alone.
  await expect.poll(() => document.querySelector("h1, [role=alert]")).not.toBeNull();
  return { push };
}

/** Removes the page that the test has opened. */
export function closePage(): void {
  close?.();
  close = undefined;
}
