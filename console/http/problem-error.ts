/** A request that the console itself refuses. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly remedy: string | undefined;

  constructor(status: number, message: string, remedy?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.remedy = remedy;
  }
}
