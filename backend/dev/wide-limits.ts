/** Limits for runs on this machine, whose visitors all come from one address. Each run adds its own settings. */
import { mergeSettings, type SettingsOverrides } from "../config/settings.ts";

const MANY_CALLS = 1_000_000;
const MANY_OF_EACH = { free: MANY_CALLS, pro: MANY_CALLS };

/** Widens what one address may do, and how often; what one visitor may have at a time is as in production. */
export const ONE_ADDRESS_LIMITS: SettingsOverrides = {
  domain: { activeJobsPerNetwork: 10_000 },
  rates: {
    createPerDevice: MANY_OF_EACH,
    createPerUser: MANY_OF_EACH,
    createPerAddress: MANY_OF_EACH,
    signInPerAddress: MANY_CALLS,
    previewPerAddress: MANY_CALLS,
    fileLinkPerAddress: MANY_CALLS,
    feedPerAddress: MANY_CALLS,
  },
  realtime: { socketsPerNetwork: 100_000 },
  site: { downloadsPerNetwork: 10_000, connectionsPerNetwork: 200_000 },
};

/** For many jobs of few visitors. */
export const FEW_VISITORS_LIMITS: SettingsOverrides = mergeSettings(ONE_ADDRESS_LIMITS, {
  domain: { activeJobs: { free: 1_000, pro: 1_000 }, activeJobsPerTier: 100_000 },
  realtime: { socketsPerDevice: 10_000 },
});
