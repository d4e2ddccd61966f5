import { missingRightIn, missingRightText } from '../contracts/missing-right.ts';
import { errorCode } from '../language/error-code.ts';
import { errorMessage } from '../language/error-message.ts';
import { refusedRemedy, refusedText } from './refused-request.ts';

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** The API server rejected a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** E.g. `POST /api/v1/namespaces/ml/pods`. */
  readonly request: string;
  /** HTTP status. */
  readonly status: number;
  /** Kubernetes' reason code, e.g. `AlreadyExists`, `NotFound`, `Conflict`, `Expired`. */
  readonly reason: string;
  /** The server's message. */
  readonly detail: string;
  /** Milliseconds to wait before the next try, as the server requested. */
  readonly retryAfterMs: number | undefined;

  constructor(request: string, answer: Answer) {
    super(messageOf(request, answer));
    this.request = request;
    this.status = answer.status;
    this.reason = answer.reason;
    this.detail = answer.message;
    this.retryAfterMs = answer.retryAfterMs;
  }

  /** What helps with a refusal that time does not mend. Computed for who asks: a quota refuses thousands of pods. */
  get remedy(): string | undefined {
    const { request, detail } = this;
    return isRefusal(this) ? refusedRemedy({ request, detail }) : undefined;
  }
}

/** Forbidden or invalid: people read why. Of all others the request is worth more than a sentence. */
const isRefusal = ({ status }: Pick<Answer, 'status'>): boolean => status === 403 || status === 422;

function messageOf(request: string, answer: Answer): string {
  const { status, reason, message: detail } = answer;
  const code = `${status} ${reason}`;
  const text = isRefusal(answer) ? refusedText({ request, code, detail }) : undefined;
  return text ?? `${request}: ${code}: ${detail}`;
}

/** Returns an error's message, of the API server's errors without the request. */
export function withoutRequest(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  const right = missingRightIn(error.detail);
  return right ? missingRightText(right) : `${error.status} ${error.detail}`;
}

/** No answer: the server is unavailable, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'ApiServerAway';

  constructor(request: string, cause: unknown) {
    super(`${request}: no answer from the API server (${errorMessage(cause)})`, {
      cause,
    });
  }
}

/** A write that was not sent, because another process may be writing by now. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The cluster cannot be accessed: no kubeconfig, a broken one, an unknown context. */
export class ClusterConfigError extends Error {
  override readonly name = 'ClusterConfigError';
  readonly code = 'ClusterConfig';
}

/** Interval between retries of a request that the API server forbids. */
export const FORBIDDEN_MS = 300_000;

export const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403;
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;
export const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409;
export const isAlreadyExists = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.reason === 'AlreadyExists';
/** A patch that names another uid than the object's would change it, which no API server allows. */
const wouldChangeUid = (error: unknown) =>
  error instanceof ApiError && error.status === 422 && error.detail.includes('metadata.uid: Invalid value');

/** Whether an object that a request names by uid no longer exists, or another object has its name. */
export const isGoneOrReplaced = (error: unknown) =>
  isNotFound(error) || isConflict(error) || wouldChangeUid(error);

/** For `catch`: ignores that the object is gone. */
export function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** For `catch`: ignores that the object is gone or was replaced by another one of its name. */
export function unlessGoneOrReplaced(error: unknown): undefined {
  if (!isGoneOrReplaced(error)) throw error;
}

/** Whether an answer broke off because nothing more arrived for too long. By undici's code: who only reads errors loads no undici. */
export const isWatchTimeout = (error: unknown) =>
  error instanceof ConnectionError && errorCode(error.cause) === 'UND_ERR_BODY_TIMEOUT';

export const isExpired = (error: unknown) => error instanceof ApiError && error.status === 410;

/** Whether the error says nothing about the object: the server is overloaded or not ready. */
export const isOverloaded = ({ status }: ApiError) => status === 429 || status === 503 || status === 504;

/** Whether to retry the same request: too many requests, server errors, lost connections. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}
