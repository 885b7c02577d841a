import { z } from "zod";
import { bounded } from "../../../common/bounded.ts";
import type { Tier } from "../../../common/tiers.ts";

export const DEFAULT_CREATE_PER_MINUTE = 20;
/** Several visitors may share one address, such as those of a household or an office. */
const ADDRESS_FACTOR = 3;
const PRO_FACTOR = 6;
/** More than any client can send in a minute. */
const MAX_RATE = 1_000_000;

/**
 * Computes the rate limits of conversions from the number that operators set.
 * @param perMinute conversions per minute of one device, and of one user on all devices, on the free plan
 */
export function createRates(perMinute: number) {
  const owner = { free: perMinute, pro: perMinute * PRO_FACTOR };
  const address = { free: owner.free * ADDRESS_FACTOR, pro: owner.pro * ADDRESS_FACTOR };
  return { createPerDevice: owner, createPerUser: owner, createPerAddress: address };
}

const perTier = ({ free, pro }: Readonly<Record<Tier, number>>) =>
  z.strictObject({ free: bounded(free, 1, MAX_RATE), pro: bounded(pro, 1, MAX_RATE) }).prefault({});
const defaultRates = createRates(DEFAULT_CREATE_PER_MINUTE);

/**
 * Calls per minute, messages of the contact form per hour. An IPv6 address counts as its /64 network; for the contact form
 * an IPv4 address counts as its /24.
 */
export const RateLimits = z.strictObject({
  createPerDevice: perTier(defaultRates.createPerDevice),
  createPerUser: perTier(defaultRates.createPerUser),
  createPerAddress: perTier(defaultRates.createPerAddress),
  signInPerAddress: bounded(20, 1, MAX_RATE),
  previewPerDevice: bounded(60, 1, MAX_RATE),
  previewPerAddress: bounded(180, 1, MAX_RATE),
  fileLinkPerDevice: bounded(30, 1, MAX_RATE),
  fileLinkPerAddress: bounded(90, 1, MAX_RATE),
  /** Services that poll for many listeners have few addresses. */
  feedPerAddress: bounded(600, 1, MAX_RATE),
  /** Calls to the checkout and the billing portal. */
  billingPerUser: bounded(20, 1, MAX_RATE),
  /** Exports and deletions of the account. */
  accountPerUser: bounded(10, 1, MAX_RATE),
  contactPerDevice: bounded(5, 1, MAX_RATE),
  contactPerNetwork: bounded(30, 1, MAX_RATE),
});
export type RateLimits = z.infer<typeof RateLimits>;
