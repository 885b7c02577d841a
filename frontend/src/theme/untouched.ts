/** For so long people still press what they saw before, in milliseconds. */
export const UNTOUCHED_MS = 700;

/**
 * For a control that takes its place while a finger may be on its way to another one: it takes no tap at first. The
 * keyboard has no such slip. It is no motion: reduced motion keeps it.
 */
export const UNTOUCHED_AT_FIRST = {
  animation: `untouched ${UNTOUCHED_MS}ms`,
  "&[data-finished]": { animation: `untouched ${UNTOUCHED_MS}ms, pop 360ms ease-out` },
  _motionReduce: { animation: `untouched ${UNTOUCHED_MS}ms !important` },
} as const;
