/** In the order in which they are stopped last: what others depend on comes first. */
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

/** A program to keep running: how it is started, and how one sees that it is really there. */
export interface Component {
  readonly name: ComponentName;
  readonly program: string;
  readonly args: readonly string[];
  /** The sandbox's folder by default. */
  readonly cwd?: string;
  /** Beside what the supervisor itself was started with. */
  readonly env?: Readonly<Record<string, string>>;
  /** Asked every few milliseconds from its start (`since`, in epoch milliseconds); an error counts as "not yet". */
  isReady(since: number): Promise<boolean>;
  readonly readyWithinMs: number;
  /** After this long a polite request to stop is followed by SIGKILL. */
  readonly stopWithinMs: number;
}
