import { SandboxError } from './errors.ts';

/** The values of `--kubernetes`, the oldest first. */
export const kubernetesVersions = ['1.35', '1.36', '1.37'] as const;
export type KubernetesVersion = (typeof kubernetesVersions)[number];

export const DEFAULT_KUBERNETES_VERSION: KubernetesVersion = '1.36';

interface KubernetesRelease {
  /** Without a leading v. The folder `programs/kubernetes/VERSION` has the go.mod that pins it. */
  readonly release: string;
  /** Undefined: it has no PodGroups. */
  readonly nativeGangs?: {
    /** The API version of its PodGroups, which is not served by default. */
    readonly apiVersion: string;
    /** Feature gates of the scheduler, beside the one that all components need. */
    readonly schedulerGates: readonly string[];
  };
}

/**
 * kube-scheduler puts a gang that does not fit into the back-off queue, and takes it from there whenever it is
 * idle: it would retry without a pause, on a whole core.
 */
const NO_BUSY_LOOP = 'SchedulerPopFromBackoffQ=false';

/** What differs between the versions of the control plane. */
export const kubernetesReleases: Readonly<Record<KubernetesVersion, KubernetesRelease>> = {
  '1.35': { release: '1.35.4' },
  '1.36': {
    release: '1.36.3',
    nativeGangs: {
      apiVersion: 'scheduling.k8s.io/v1alpha2',
      schedulerGates: ['GangScheduling=true', NO_BUSY_LOOP],
    },
  },
  '1.37': {
    release: '1.37.2',
    nativeGangs: { apiVersion: 'scheduling.k8s.io/v1beta1', schedulerGates: [NO_BUSY_LOOP] },
  },
};

/** Returns what SIGNALBOX_SANDBOX_KUBERNETES asks for. */
export function kubernetesOfEnvironment(env: NodeJS.ProcessEnv = process.env): KubernetesVersion | undefined {
  const asked = env.SIGNALBOX_SANDBOX_KUBERNETES;
  if (!asked) return undefined;
  const version = kubernetesVersions.find((each) => each === asked);
  if (version !== undefined) return version;
  throw new SandboxError(
    `SIGNALBOX_SANDBOX_KUBERNETES: expected one of ${kubernetesVersions.join(', ')}, got ${asked}`,
    'set one of these, or unset it',
  );
}
