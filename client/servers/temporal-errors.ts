import { isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { isAboutMissingNamespace, missingNamespace } from '../../temporal/missing-namespace.ts';
import { JobNotFoundError, RefusedError, ServerAwayError } from '../errors/errors.ts';
import { SignalboxError } from '../errors/signalbox-error.ts';

/** gRPC codes that this library distinguishes; https://grpc.io/docs/guides/status-codes */
export const GRPC = {
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
} as const;

const TRANSIENT: readonly number[] = [
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.internal,
  GRPC.unavailable,
  GRPC.dataLoss,
];

/** Converts errors of Temporal's client to errors of this library. */
export function toClientError(
  error: unknown,
  about: { readonly workflowId: string; readonly address: string; readonly namespace: string },
): unknown {
  if (error instanceof SignalboxError) return error;
  if (isAboutMissingNamespace(error)) {
    const { message, remedy } = missingNamespace(about.namespace);
    return new RefusedError(message, { cause: error, remedy });
  }
  if (isAboutNoWorkflow(error)) return new JobNotFoundError(about.workflowId, { cause: error });
  const answer = grpcErrorOf(error);
  if (!answer) return error;
  if (TRANSIENT.includes(answer.code)) return new ServerAwayError('Temporal', about.address, error);
  return new RefusedError(`Temporal refused: ${answer.details}`, { cause: error });
}

export const isAboutNoWorkflow = (error: unknown): boolean =>
  !isAboutMissingNamespace(error) &&
  (error instanceof WorkflowNotFoundError || grpcErrorOf(error)?.code === GRPC.notFound);

/** Returns whether to retry a call that follows earlier ones: a restarted server may not know its namespaces yet. */
export const isTransientTemporalError = (error: unknown): boolean =>
  TRANSIENT.includes(grpcErrorOf(error)?.code ?? -1) || isAboutMissingNamespace(error);

export function grpcErrorOf(error: unknown): { code: number; details: string } | undefined {
  if (isGrpcServiceError(error)) return error;
  if (error instanceof ServiceError) return grpcErrorOf(error.cause);
  return undefined;
}

/** The Temporal namespace does not know signalbox's search attributes. */
export const isAboutSearchAttributes = (error: unknown): boolean =>
  /search attribute/i.test(grpcErrorOf(error)?.details ?? '');
