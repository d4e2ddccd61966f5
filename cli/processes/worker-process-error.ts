import type { ProcessFailure } from './process-messages.ts';

/** A process of a worker failed; the error reads like that of a worker in this process. */
export class WorkerProcessError extends Error {
  override readonly name = 'WorkerProcessError';
  readonly code: string | undefined;
  readonly remedy: string | undefined;

  constructor({ message, code, remedy, stack }: ProcessFailure) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    if (stack) this.stack = stack;
  }
}
