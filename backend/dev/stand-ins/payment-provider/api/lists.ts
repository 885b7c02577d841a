import { noSuch } from "../api-error.ts";

/**
 * @param all newest first
 * @returns one page of a list
 * @throws ApiError 400 when the object at the page's edge is not in the list
 */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  url: string,
  {
    limit = 10,
    starting_after: after,
    ending_before: before,
  }: { limit?: number | undefined; starting_after?: string | undefined; ending_before?: string | undefined },
) {
  const placeOf = (id: string, param: string) => {
    const place = all.findIndex((object) => object.id === id);
    if (place < 0) throw noSuch("object", id, param, 400);
    return place;
  };
  if (before !== undefined) {
    const end = placeOf(before, "ending_before");
    const start = Math.max(0, end - limit);
    return { object: "list" as const, data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : placeOf(after, "starting_after") + 1;
  return { object: "list" as const, data: all.slice(start, start + limit), has_more: all.length > start + limit, url };
}
