/** Calls that read: one object by its id, or a list that is filtered by fields. */
import { z } from "zod";
import { noSuch } from "../api-error.ts";
import type { Collections, Kind } from "../state.ts";
import { type Operation, operation } from "./operation.ts";
import { check, integer, params } from "./params.ts";

const DEFAULT_LIMIT = 10;
const Page = z.object({
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: z.string().optional(),
});
const Value = z.union([z.string(), z.array(z.string())]).optional();

export function retrieving<K extends Kind>(
  route: `GET ${string}/:id`,
  kind: K,
  show: (object: Collections[K]) => object = (object) => object,
): Operation {
  return operation(route as "GET /v1/", params({ client_secret: z.string().optional() }), ({ account }, _given, id) =>
    show(account.get(kind, id)),
  );
}

/**
 * A list, newest first. A customer in the route is a filter, too.
 * @param filters parameter and the field that it must be equal to; a list of values means any of them
 * @param fits a filter by the parameter `status`
 */
export function listing<K extends Kind>(
  route: `GET ${string}`,
  kind: K,
  filters: { readonly [param: string]: readonly [keyof Collections[K]] },
  fits: (object: Collections[K], given: { readonly status?: string | undefined }) => boolean = () => true,
  show: (object: Collections[K]) => object = (object) => object,
): Operation {
  const shape = {
    ...Page.shape,
    ...Object.fromEntries(Object.keys(filters).map((param) => [param, Value])),
    status: z.string().optional(),
  };
  const isOfCustomer = route.includes("/:customer/");
  return operation(route as "GET /v1/", params(shape), ({ account }, checked, id) => {
    const given: { readonly [param: string]: unknown; readonly status?: string | undefined } = checked;
    if (isOfCustomer) account.get("customer", id);
    const matching = account.list(kind).filter(
      (object) =>
        (!isOfCustomer || ("customer" in object && object.customer === id)) &&
        Object.entries(filters).every(([param, [field]]) => {
          const wanted = Value.parse(given[param]);
          return wanted === undefined || [wanted].flat().includes(String(object[field]));
        }) &&
        fits(object, given),
    );
    const { limit = DEFAULT_LIMIT, starting_after: after } = check(Page, {
      limit: checked.limit === undefined ? undefined : String(checked.limit),
      starting_after: checked.starting_after,
    });
    const start = after === undefined ? 0 : matching.findIndex((object) => object.id === after) + 1;
    if (start === 0 && after !== undefined) throw noSuch("object", after, "starting_after", 400);
    return {
      object: "list",
      data: matching.slice(start, start + limit).map(show),
      has_more: matching.length > start + limit,
      url: route.slice("GET ".length).replace(":customer", id),
    };
  });
}
