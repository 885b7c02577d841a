/** @returns seconds up to two minutes, then whole minutes, rounded up */
export function wholeSpan(seconds: number): number {
  return seconds <= 120 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60;
}

/** @returns the time left as rows show it: whole seconds, from a minute on whole minutes; at least one second */
export function shownSeconds(etaSeconds: number): number {
  const seconds = Math.max(1, Math.round(etaSeconds));
  return seconds < 60 ? seconds : Math.round(seconds / 60) * 60;
}
