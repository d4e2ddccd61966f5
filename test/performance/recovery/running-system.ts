import type { KubeObject } from '../../../contracts/kubernetes.ts';

/** Processes that a fault can take away while a job recovers. */
export type PartName = 'controller' | 'worker' | 'watcher' | 'temporal' | 'api-server';

/** An engine that runs the jobs of `manifests/`. */
export interface RunningSystem {
  /** The label that names the job on its pods. */
  readonly podLabel: string;
  /** Kills a part with SIGKILL, and starts it again at once. A part that the system has not is not there. */
  readonly parts: Readonly<Partial<Record<PartName, () => Promise<void>>>>;
  /** With the objects of one file of `manifests/`. */
  submit(manifest: readonly KubeObject[]): Promise<void>;
  /** Ends the job; resolves when none of its pods and Services is left. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}
