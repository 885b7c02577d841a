import PQueue from "p-queue";

/** Runs tasks with the same key one after the other, within this process. */
export class InTurn {
  readonly #queues = new Map<string, PQueue>();

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    return (this.#queues.get(key) ?? this.#open(key)).add(task);
  }

  #open(key: string): PQueue {
    const queue = new PQueue({ concurrency: 1 });
    queue.addEventListener("idle", () => this.#queues.delete(key));
    this.#queues.set(key, queue);
    return queue;
  }
}
