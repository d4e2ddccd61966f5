/**
 * Names the cause of an error, and never changes. Programs compare it; messages may change.
 *
 * @public
 */
export type ErrorCode =
  | 'InvalidManifest'
  | 'NameTaken'
  | 'KeyReused'
  | 'JobNotFound'
  | 'AmbiguousRun'
  | 'JobEnded'
  | 'WaitTimeout'
  | 'ServerAway'
  | 'WorkerAway'
  | 'Refused'
  | 'Lanes'
  | 'MissingRequirement'
  | 'NoLog'
  | 'NoEvidence'
  | 'EvidenceAway'
  | 'ArchiveAway'
  | 'ArchiveDamaged'
  | 'ArchiveVersion'
  | 'ScheduleNotFound'
  | 'ScheduleExists'
  | 'InvalidSchedule';

/** The same symbol in every copy of the library. */
const MARK = Symbol.for('signalbox.dev/error');

/**
 * Base class of the library's errors: one class per cause, with a stable code, a message and a remedy. `instanceof` also
 * recognises errors of another copy of the library in the same process, e.g. one in ESM and one in CommonJS.
 *
 * @public
 */
export abstract class SignalboxError<Code extends ErrorCode = ErrorCode> extends Error {
  static {
    Object.defineProperty(SignalboxError.prototype, MARK, { value: true });
  }

  /** @internal */
  declare static readonly code: ErrorCode;

  readonly code: Code;
  override readonly name: `${Code}Error`;
  /** What the user can do about it. */
  readonly remedy: string | undefined;

  constructor(message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = new.target.code as Code;
    this.name = `${this.code}Error`;
    this.remedy = options.remedy;
  }

  /** Compares codes, as classes of two copies differ. */
  static override [Symbol.hasInstance]<T>(
    this: abstract new (
      ...args: never
    ) => T,
    value: unknown,
  ): value is T {
    // biome-ignore lint/complexity/noThisInStatic: here `this` is the class on the right of `instanceof`.
    return isInstance(this, value);
  }
}

function isInstance(of: object, value: unknown): boolean {
  if (of !== SignalboxError && !Object.hasOwn(of, 'code')) {
    return Function.prototype[Symbol.hasInstance].call(of, value);
  }
  if (typeof value !== 'object' || value === null || !(MARK in value)) return false;
  return of === SignalboxError || ('code' in value && value.code === (of as { code?: unknown }).code);
}
