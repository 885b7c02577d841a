/**
 * Loaded into the server before its own code (`node --expose-gc --import`): on SIGUSR2 it collects garbage and prints
 * its memory.
 */
process.on("SIGUSR2", () => {
  // The first one leaves what finalizers still hold.
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    process.stdout.write(`fuzz-memory ${JSON.stringify(process.memoryUsage())}\n`);
  });
});
