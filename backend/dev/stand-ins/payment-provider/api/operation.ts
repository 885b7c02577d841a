/** One call of the API: what it may be sent and what it does. */
import type { z } from "zod";
import type { Account } from "../account.ts";
import { check } from "./params.ts";

export interface Surrounding {
  readonly account: Account;
  /** Where the stand-in is reached. */
  readonly origin: string;
}

export interface Operation {
  readonly method: "DELETE" | "GET" | "POST";
  readonly path: RegExp;
  readonly run: (surrounding: Surrounding, ids: readonly string[], given: unknown) => object;
}

/**
 * @param route such as `POST /v1/customers/:id`
 * @param act gets the checked parameters and the ids of the path; throws ApiError
 */
export function operation<S extends z.ZodType>(
  route: `${Operation["method"]} /v1/${string}`,
  schema: S,
  act: (surrounding: Surrounding, given: z.infer<S>, id: string) => object,
): Operation {
  const [method, path] = route.split(" ") as [Operation["method"], string];
  return {
    method,
    path: new RegExp(`^${path.replaceAll(/:\w+/g, "([^/]+)")}$`),
    run: (surrounding, ids, given) => act(surrounding, check(schema, given), ids[0] ?? ""),
  };
}
