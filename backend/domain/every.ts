/** Runs a task again and again, never two at a time. */
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
