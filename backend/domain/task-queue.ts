/** Queues of tasks other than conversions. A task may run more than once; what it has to do is read from the database. */

export interface Task<Kind extends string> {
  readonly kind: Kind;
  readonly id: string;
}

export interface TaskTiming {
  /** Earliest start, in Unix milliseconds; default now. */
  readonly runAtMs?: number;
  /** True when a user waits for the result: the task runs before all tasks that are not urgent. */
  readonly isUrgent?: boolean;
}

export interface TaskQueue<Kind extends string> {
  /**
   * Adds a task. If the same task is already queued, the two become one: it runs at the earlier time, and is urgent
   * if either of them is.
   */
  enqueue(task: Task<Kind>, timing?: TaskTiming): Promise<void>;
}
