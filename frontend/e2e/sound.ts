/** Hears what a page plays: the clicks of the sample site's clip, each of which names its second by its pitch. */
import type { Page } from "@playwright/test";
import { CLICK } from "../../backend/dev/stand-ins/sample-site/clip-recipes.ts";

export interface HeardClick {
  /** Second of the video. */
  readonly second: number;
  /** How often its player had waited for more by then. */
  readonly waits: number;
}

declare global {
  interface Window {
    /** All players that the page has made, in order. */
    players: HTMLMediaElement[];
    heard: HeardClick[];
  }
}

/** Runs in the thread of the sound, so that a busy page loses nothing. */
function recorder({ seconds, firstHz, stepHz }: typeof CLICK): string {
  return `registerProcessor("heard-clicks", class extends AudioWorkletProcessor {
    samples = []; quiet = 0;
    process([[samples]]) {
      for (const sample of samples ?? []) {
        if (this.samples.length === 0) {
          if (this.quiet > 0) this.quiet -= 1;
          else if (Math.abs(sample) >= 0.2) this.samples.push(sample);
          continue;
        }
        this.samples.push(sample);
        if (this.samples.length < ${seconds} * sampleRate) continue;
        const middle = this.samples.slice(0.005 * sampleRate, -0.005 * sampleRate);
        const up = middle.flatMap((now, at) => (at > 0 && middle[at - 1] < 0 && now >= 0 ? [at] : []));
        const hertz = ((up.length - 1) * sampleRate) / (up.at(-1) - up[0]);
        this.port.postMessage(Math.round((hertz - ${firstHz}) / ${stepHz}));
        this.samples = []; this.quiet = 0.3 * sampleRate;
      }
      return true;
    }
  });`;
}

/** Runs in the page: listens to each player that it makes. */
function listen(recorderUrl: string): void {
  window.players = [];
  window.heard = [];
  const create = document.createElement.bind(document);
  async function hear(player: HTMLMediaElement): Promise<void> {
    const context = new AudioContext({ sampleRate: 48_000 });
    await context.audioWorklet.addModule(recorderUrl);
    const node = new AudioWorkletNode(context, "heard-clicks", { channelCount: 1, channelCountMode: "explicit" });
    let waits = 0;
    player.addEventListener("waiting", () => (waits += 1));
    node.port.addEventListener("message", ({ data: second }) => window.heard.push({ second, waits }));
    node.port.start();
    context.createMediaElementSource(player).connect(node).connect(context.destination);
    await context.resume();
  }
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLMediaElement)
      element.addEventListener(
        "play",
        () => {
          window.players.push(element);
          void hear(element);
        },
        { once: true },
      );
    return element;
  };
}

/** Lets all pages that are opened from now on record what they play. Their policy forbids the recorder: bypass it. */
export async function hearPage(page: Page): Promise<void> {
  await page.addInitScript(listen, `data:text/javascript,${encodeURIComponent(recorder(CLICK))}`);
}

/** @returns the clicks that the page has played since the last call */
export const takeHeard = (page: Page): Promise<HeardClick[]> => page.evaluate(() => window.heard.splice(0));
