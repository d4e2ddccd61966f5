import { LocalContainer } from './container.ts';
import { isSidecar, type RunnableContainer } from './fields.ts';
import type { NodeContext } from './node-context.ts';
import type { PodSandbox } from './pod-sandbox.ts';
import { recoverRecord } from './recovery.ts';
import type { Termination } from './termination.ts';

interface PodContainersOptions {
  readonly sandbox: PodSandbox;
  readonly context: NodeContext;
  onChange(): void;
}

/** The containers of a pod. */
export class PodContainers {
  readonly inits: readonly LocalContainer[];
  readonly apps: readonly LocalContainer[];

  constructor(options: PodContainersOptions) {
    const { containers, initContainers = [] } = options.sandbox.pod.spec;
    this.inits = initContainers.map((spec) => createContainer(spec, 'init', options));
    this.apps = containers.map((spec) => createContainer(spec, 'app', options));
  }

  get areReady(): boolean {
    return this.apps.every(({ record }) => record.ready);
  }

  find(name: string): LocalContainer | undefined {
    return [...this.apps, ...this.inits].find(({ spec }) => spec.name === name);
  }

  /** Terminates all containers; sidecars only after the apps have ended. */
  terminate({ deadline, appsEnded }: Pick<Termination, 'deadline'> & { appsEnded: Promise<void> }): void {
    for (const app of this.apps) app.terminate({ deadline });
    for (const init of this.inits) {
      init.terminate({ deadline, after: isSidecar(init.spec) ? appsEnded : undefined });
    }
  }

  kill(): void {
    for (const container of [...this.apps, ...this.inits]) container.kill();
  }
}

function createContainer(
  spec: RunnableContainer,
  kind: 'init' | 'app',
  { sandbox, context, onChange }: PodContainersOptions,
): LocalContainer {
  const { pod } = sandbox;
  const given = pod.spec.restartPolicy ?? 'Always';
  return new LocalContainer({
    spec,
    policy: spec.restartPolicy ?? (kind === 'init' && given === 'Always' ? 'OnFailure' : given),
    sandbox,
    context,
    record: recoverRecord(spec, kind, pod),
    onChange,
  });
}
