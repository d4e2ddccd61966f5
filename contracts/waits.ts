interface Wait {
  /** What it means; absent where the message says it, as of a scheduler. */
  readonly phrase?: string;
  /** The pod cannot start: `failures.classes.startUp.after` of the policy limits how long that may last. */
  readonly isStartUp?: true;
  /** Every container has it for a while. */
  readonly passes?: true;
  /** The kubelet alternates between both. */
  readonly sameAs?: string;
}

/**
 * Why a pod waits, in the words of schedulers and kubelets: a row for each reason. Status, logs, digests and Python's copy
 * read it.
 */
export const WAITS = {
  // Of schedulers
  Unschedulable: { isStartUp: true },
  SchedulerError: { isStartUp: true },
  // Of kubelets: images
  ErrImagePull: { phrase: 'the image cannot be pulled', isStartUp: true, sameAs: 'ImagePullBackOff' },
  ImagePullBackOff: { phrase: 'the image cannot be pulled', isStartUp: true },
  ErrImageNeverPull: {
    phrase: 'the image is not on the node, and imagePullPolicy Never forbids to pull it',
    isStartUp: true,
  },
  InvalidImageName: { phrase: 'the name of the image is invalid', isStartUp: true },
  ImageInspectError: { phrase: 'the image on the node cannot be read', isStartUp: true },
  RegistryUnavailable: { phrase: 'the registry of the image does not answer', isStartUp: true },
  SignatureValidationFailed: { phrase: 'the signature of the image is not valid', isStartUp: true },
  // Of kubelets: containers
  CreateContainerConfigError: { phrase: 'the container cannot be configured', isStartUp: true },
  CreateContainerError: { phrase: 'the container cannot be created', isStartUp: true },
  RunContainerError: { phrase: 'the container cannot be started', isStartUp: true },
  CrashLoopBackOff: { phrase: 'the container has failed and is run again after a pause' },
  // Of kubelets: what passes
  ContainerCreating: { phrase: 'the node prepares the pod', isStartUp: true, passes: true },
  PodInitializing: { phrase: 'the init containers run', isStartUp: true, passes: true },
  ContainersNotReady: { passes: true },
} as const satisfies Readonly<Record<string, Wait>>;

const waitOf = (reason: string): Wait | undefined =>
  Object.hasOwn(WAITS, reason) ? WAITS[reason as keyof typeof WAITS] : undefined;

/** Returns what a reason means; undefined for an unknown one, and for those whose message says it. */
export const phraseOfWait = (reason: string): string | undefined => waitOf(reason)?.phrase;

/** Whether the reason says that a pod cannot start, or has not yet. */
export const isStartUpWait = (reason: string): boolean => waitOf(reason)?.isStartUp === true;

/** Whether every container has this reason to wait for a while. */
export const isPassingWait = (reason: string): boolean => waitOf(reason)?.passes === true;

/** Returns one reason for all those between which the kubelet alternates. */
export const steadyReason = (reason: string): string => waitOf(reason)?.sameAs ?? reason;
