import { isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { isAboutMissingNamespace, NOT_FOUND } from './missing-namespace.ts';

/** gRPC's code. */
const INVALID_ARGUMENT = 3;

/** Whether Temporal does not know a run, or no longer: some calls say so by a class of the SDK, others by a code. */
export function isAboutMissingRun(error: unknown): boolean {
  if (error instanceof ServiceError) return isAboutMissingRun(error.cause);
  if (isAboutMissingNamespace(error)) return false;
  return error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND);
}

/** The same, also if what names the run is no id. */
export function isAboutNoRun(error: unknown): boolean {
  if (isAboutMissingRun(error)) return true;
  const { cause } = error instanceof ServiceError ? error : {};
  return isGrpcServiceError(cause) && cause.code === INVALID_ARGUMENT;
}
