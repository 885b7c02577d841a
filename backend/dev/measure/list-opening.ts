/** How long a list of 5,000 entries takes to open. */
import { ListPage } from "../../../common/lists.ts";

const OPENINGS = 10;

export interface ListOpenings {
  /** Until the first entries are there, which a visitor sees. */
  readonly firstMs: readonly number[];
  /** Until all entries are there. */
  readonly wholeMs: readonly number[];
}

/**
 * Opens the list several times, each time by another address, so that nothing is kept of it.
 * @param call sends a request as a page of the site does
 */
export async function measureListOpenings(
  link: string,
  call: (path: string, body: object) => Promise<Response>,
): Promise<ListOpenings> {
  const firstMs: number[] = [];
  const wholeMs: number[] = [];
  for (let n = 0; n < OPENINGS; n += 1) {
    const youtubeUrl = `${link}?opening=${Date.now()}-${n}`;
    const startMs = performance.now();
    for (let next: number | null = 0; next !== null;) {
      const answer = await call("/api/lists", { youtubeUrl, offset: next });
      const page = ListPage.parse(await answer.json());
      if (page.offset === 0) firstMs.push(performance.now() - startMs);
      next = page.next;
    }
    wholeMs.push(performance.now() - startMs);
  }
  return { firstMs, wholeMs };
}
