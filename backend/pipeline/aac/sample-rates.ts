/** Sample rates that both AAC and MP3 have, in the order of an MP3 frame header; sound of another rate is resampled. */
export const SAMPLE_RATES_HZ = [44_100, 48_000, 32_000] as const;
export type SampleRateHz = (typeof SAMPLE_RATES_HZ)[number];
