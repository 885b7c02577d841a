/**
 * For a control that takes its place while a finger may be on its way to another one: it takes no tap for 0.7 s, in which
 * people still press what they saw before. The keyboard has no such slip. It is no motion: reduced motion keeps it.
 */
export const UNTOUCHED_AT_FIRST = {
  animation: "untouched 700ms",
  "&[data-finished]": { animation: "untouched 700ms, pop 360ms ease-out" },
  _motionReduce: { animation: "untouched 700ms !important" },
} as const;
