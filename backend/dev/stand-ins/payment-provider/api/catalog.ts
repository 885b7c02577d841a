import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { newPrice, newProduct } from "../shapes/catalog.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { emptiableMetadata, flag, listParams, mergeMetadata, metadata, params, text, integer } from "./params.ts";

const interval = z.enum(["day", "week", "month", "year"]);

export const CATALOG_OPERATIONS = [
  operation(
    "POST /v1/products",
    params({
      id: text.optional(),
      name: text,
      description: text.optional(),
      active: flag.optional(),
      metadata: metadata.optional(),
      statement_descriptor: text.optional(),
      tax_code: text.optional(),
    }),
    ({ account }, given) => {
      if (given.id !== undefined && account.find("product", given.id))
        throw invalidRequest("Product already exists.", { code: "resource_already_exists", param: "id" });
      const product = account.add("product", newProduct(account, given));
      account.emit("product.created", product);
      return product;
    },
  ),
  operation(
    "GET /v1/products",
    listParams({ active: flag.optional(), ids: z.array(text).optional() }),
    ({ account }, given) =>
      pageOf(
        account
          .list("product")
          .filter(
            ({ id, active }) =>
              (given.active === undefined || active === given.active) && (given.ids?.includes(id) ?? true),
          ),
        "/v1/products",
        given,
      ),
  ),
  operation("GET /v1/products/:id", params({}), ({ account }, _given, id) => account.get("product", id)),
  operation(
    "POST /v1/prices",
    params({
      product: text.optional(),
      product_data: z.strictObject({ id: text.optional(), name: text, metadata: metadata.optional() }).optional(),
      currency: z.string().regex(/^[a-z]{3}$/),
      unit_amount: integer.pipe(z.number().min(0)),
      recurring: z.strictObject({
        interval,
        interval_count: integer.optional(),
        usage_type: z.literal("licensed").optional(),
      }),
      lookup_key: text.max(200).optional(),
      transfer_lookup_key: flag.optional(),
      nickname: text.optional(),
      active: flag.optional(),
      metadata: metadata.optional(),
      tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
    }),
    ({ account }, given) => {
      if (given.product_data === undefined && given.product === undefined)
        throw invalidRequest("Missing required param: product.", { code: "parameter_missing", param: "product" });
      freeLookupKey(account, given.lookup_key, given.transfer_lookup_key);
      const product = given.product_data
        ? account.add("product", newProduct(account, given.product_data))
        : account.get("product", given.product ?? "", "product");
      const price = account.add(
        "price",
        newPrice(account, {
          product: product.id,
          currency: given.currency,
          unitAmount: given.unit_amount,
          interval: given.recurring.interval,
          intervalCount: given.recurring.interval_count,
          lookupKey: given.lookup_key,
          nickname: given.nickname,
          active: given.active,
          metadata: given.metadata,
        }),
      );
      account.emit("price.created", price);
      return price;
    },
  ),
  operation(
    "GET /v1/prices",
    listParams({
      lookup_keys: z.array(text).max(10).optional(),
      active: flag.optional(),
      product: text.optional(),
      currency: text.optional(),
      type: z.enum(["one_time", "recurring"]).optional(),
      recurring: z.strictObject({ interval: interval.optional() }).optional(),
    }),
    ({ account }, given) => {
      const matching = account
        .list("price")
        .filter(
          (price) =>
            (given.lookup_keys === undefined ||
              (price.lookup_key !== null && given.lookup_keys.includes(price.lookup_key))) &&
            (given.active === undefined || price.active === given.active) &&
            (given.product === undefined || price.product === given.product) &&
            (given.currency === undefined || price.currency === given.currency) &&
            given.type !== "one_time" &&
            (given.recurring?.interval === undefined || price.recurring.interval === given.recurring.interval),
        );
      return pageOf(matching, "/v1/prices", given);
    },
  ),
  operation("GET /v1/prices/:id", params({}), ({ account }, _given, id) => account.get("price", id)),
  operation(
    "POST /v1/prices/:id",
    params({
      active: flag.optional(),
      lookup_key: text.optional(),
      transfer_lookup_key: flag.optional(),
      nickname: text.optional(),
      metadata: emptiableMetadata.optional(),
    }),
    ({ account }, given, id) => {
      const price = account.get("price", id);
      if (given.lookup_key !== undefined && given.lookup_key !== price.lookup_key) {
        freeLookupKey(account, given.lookup_key, given.transfer_lookup_key);
        price.lookup_key = given.lookup_key || null;
      }
      if (given.active !== undefined) price.active = given.active;
      if (given.nickname !== undefined) price.nickname = given.nickname || null;
      price.metadata = mergeMetadata(price.metadata, given.metadata);
      account.emit("price.updated", price);
      return price;
    },
  ),
];

/** Removes a lookup key from its price. @throws ApiError 400 unless the call transfers it */
function freeLookupKey(account: Account, key: string | undefined, transfers = false): void {
  const holder =
    key === undefined || key === "" ? undefined : account.list("price").find((price) => price.lookup_key === key);
  if (!holder) return;
  if (!transfers)
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      code: "resource_already_exists",
      param: "lookup_key",
    });
  holder.lookup_key = null;
  account.emit("price.updated", holder);
}
