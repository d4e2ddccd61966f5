import { isGrpcServiceError, NamespaceNotFoundError, ServiceError } from '@temporalio/client';

/** gRPC's code. */
export const NOT_FOUND = 5;

/** What happened, and the next step, if Temporal has no namespace of this name. */
export const missingNamespace = (namespace: string) => ({
  message: `Temporal has no namespace ${namespace}.`,
  remedy: `\`temporal operator namespace create --namespace ${namespace} --retention 30d\` creates it; or set another: --temporal-namespace, TEMPORAL_NAMESPACE.`,
});

/** Whether Temporal does not know the namespace of a call: some calls say so by a class of the SDK, others by a code. */
export function isAboutMissingNamespace(error: unknown): boolean {
  if (error instanceof ServiceError) return isAboutMissingNamespace(error.cause);
  if (error instanceof NamespaceNotFoundError) return true;
  return isGrpcServiceError(error) && error.code === NOT_FOUND && /^namespace /i.test(error.details);
}
