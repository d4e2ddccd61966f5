interface Wait {
  /** What it means; absent where the message says it, as of a scheduler. */
  readonly phrase?: string;
  /** What helps, for a person who can change the manifest. */
  readonly remedy?: string;
  /** The pod cannot start: `failures.classes.startUp.after` of the policy limits how long that may last. */
  readonly isStartUp?: true;
  /** Every container has it for a while. */
  readonly passes?: true;
  /** The kubelet alternates between both. */
  readonly sameAs?: string;
}

const PULL_REMEDY =
  'Correct the name or tag of the image, or name a Secret for its registry in imagePullSecrets of the pod template: the message says what the registry answered.';

/**
 * Why a pod waits, in the words of schedulers and kubelets: a row for each reason. Status, logs, digests and Python's copy
 * read it.
 */
export const WAITS = {
  // Of schedulers
  Unschedulable: { isStartUp: true },
  SchedulerError: { isStartUp: true },
  // Of pods that neither a scheduler nor a kubelet speaks of
  ResourceClaims: {
    remedy:
      'Create the ResourceClaim or template that the message names, or correct its name in the pod template; the job continues by itself.',
  },
  NodeSilent: {
    remedy:
      'Look at the node that the message names: `kubectl get nodes` lists those that exist. Name another in spec.nodeName of the pod template, or remove it, so that a scheduler chooses the node, and submit the job again.',
  },
  // Of kubelets: images
  ErrImagePull: {
    phrase: 'the image cannot be pulled',
    remedy: PULL_REMEDY,
    isStartUp: true,
    sameAs: 'ImagePullBackOff',
  },
  ImagePullBackOff: { phrase: 'the image cannot be pulled', remedy: PULL_REMEDY, isStartUp: true },
  ErrImageNeverPull: {
    phrase: 'the image is not on the node, and imagePullPolicy Never forbids to pull it',
    remedy: 'Remove imagePullPolicy from the container, or load the image onto the nodes.',
    isStartUp: true,
  },
  InvalidImageName: {
    phrase: 'the name of the image is invalid',
    remedy: 'Correct the name of the image in the pod template.',
    isStartUp: true,
  },
  ImageInspectError: {
    phrase: 'the image on the node cannot be read',
    remedy: 'An administrator has to remove the image from the node, so that it is pulled anew.',
    isStartUp: true,
  },
  RegistryUnavailable: {
    phrase: 'the registry of the image does not answer',
    remedy: 'Wait: the kubelet tries again. If it lasts, name the image in another registry.',
    isStartUp: true,
  },
  SignatureValidationFailed: {
    phrase: 'the signature of the image is not valid',
    remedy: 'Use an image whose signature the nodes accept, or ask an administrator which they accept.',
    isStartUp: true,
  },
  // Of kubelets: containers
  CreateContainerConfigError: {
    phrase: 'the container cannot be configured',
    remedy:
      'Create the ConfigMap, Secret or key that the message names, or correct its name in the pod template.',
    isStartUp: true,
  },
  CreateContainerError: {
    phrase: 'the container cannot be created',
    remedy: 'Correct what the message names: a command, a mount, or a name that is in use.',
    isStartUp: true,
  },
  RunContainerError: {
    phrase: 'the container cannot be started',
    remedy: 'Correct command and args of the container as the message says, or use another image.',
    isStartUp: true,
  },
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

/** Returns what helps with a reason to wait; undefined for those whose message says it. */
export const remedyOfWait = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : waitOf(reason)?.remedy;

/** Whether the reason says that a pod cannot start, or has not yet. */
export const isStartUpWait = (reason: string): boolean => waitOf(reason)?.isStartUp === true;

/** Whether every container has this reason to wait for a while. */
export const isPassingWait = (reason: string): boolean => waitOf(reason)?.passes === true;

/** Returns one reason for all those between which the kubelet alternates. */
export const steadyReason = (reason: string): string => waitOf(reason)?.sameAs ?? reason;
