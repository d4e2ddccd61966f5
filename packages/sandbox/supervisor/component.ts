/** Dependencies first. */
export const componentNames = [
  'etcd',
  'temporal',
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
  'vc-scheduler',
  'vc-controller-manager',
  'scheduler-plugins-scheduler',
  'scheduler-plugins-controller',
  'kwok',
  'local-node',
] as const;
export type ComponentName = (typeof componentNames)[number];

/** A program to keep running: its command, and its readiness check. */
export interface Component {
  readonly name: ComponentName;
  readonly program: string;
  readonly args: readonly string[];
  /** The sandbox's folder by default. */
  readonly cwd?: string;
  /** Added to the supervisor's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Polled from its start on (`since`, in epoch milliseconds); an error counts as not ready. */
  isReady(since: number): Promise<boolean>;
  readonly readyWithinMs: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly stopWithinMs: number;
}
