/**
 * Everything that the sandbox uses of the engine: its thin Kubernetes client and, by `engine-scripts.ts`, its lock. No
 * other file of this package imports from outside of it, so only these two change when the client becomes a package
 * (docs/decisions/0027).
 */

export { ClusterClient } from '../../cluster/client.ts';
export { ApiError, isAlreadyExists, isConflict, isNotFound, isTransient } from '../../cluster/errors.ts';
export { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
export {
  CONFIG_MAPS,
  type Condition,
  type Container,
  type ContainerPort,
  type ContainerState,
  type ContainerStatus,
  type EnvVar,
  EVENTS,
  type KubeObject,
  LEASES,
  NODES,
  PODS,
  type Pod,
  type PodPhase,
  type PodSpec,
  type PodStatus,
  type Resource,
  type RestartPolicy,
  SECRETS,
  SERVICES,
  type TerminatedState,
} from '../../contracts/kubernetes.ts';
export { parseQuantity } from '../../contracts/quantity.ts';
export { BackOff } from '../../language/back-off.ts';
export { errorCode, isAbortError } from '../../language/error-code.ts';
export { errorMessage } from '../../language/error-message.ts';
export { callAfter, pause, timeoutSignal } from '../../language/timers.ts';
export { whenAborted } from '../../language/when-aborted.ts';
export { acquireLock, identify, isAlive, type ProcessIdentity } from './engine-scripts.ts';
