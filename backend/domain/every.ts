/**
 * Runs a task repeatedly, with a pause between the end of one run and the start of the next.
 * @param onError called when a run fails; the next run starts all the same
 * @returns `stop` ends the repetition and waits for the current run
 */
export function every(
  intervalMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let isStopped = false;
  const schedule = () => {
    timer = setTimeout(() => {
      current = task()
        .catch(onError)
        .then(() => {
          if (!isStopped) schedule();
        });
    }, intervalMs);
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
