/** A message was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** It would be refused again: nobody tries it once more. */
  readonly isFinal: boolean;
  /** The receiver asked for that pause. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    {
      isFinal = false,
      retryAfterMs,
      cause,
    }: { isFinal?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}
