import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { EVENTS, type Resource } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { openInstallation } from './accounts.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

export const PYTORCH = jobResourceOf({ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' });

type Kind = Resource<JobResource>;

/** A stage on which jobs are applied as custom resources. All parts have the rights of an installation. */
export interface BridgedStage {
  readonly stage: Stage;
  readonly kubectl: Kubectl;
  readonly worker: Engine;
  readonly bridge: Engine;
  /** By default a PyTorchJob, as in what follows. */
  resourceOf(name: string, kind?: Kind): Promise<JobResource>;
  until(
    name: string,
    what: string,
    is: (resource: JobResource) => boolean,
    kind?: Kind,
  ): Promise<JobResource>;
  untilPhase(name: string, phase: string, kind?: Kind): Promise<JobResource>;
  /** What `kubectl describe` shows of a resource. */
  eventsOf(resource: JobResource): Promise<Record<'type' | 'reason' | 'message', string>[]>;
  /** Deletes all resources and the definitions. */
  close(): Promise<void>;
}

/** `settings`: of each part. */
export async function openBridgedStage(
  settings: NodeJS.ProcessEnv = {},
  options: StageOptions = {},
): Promise<BridgedStage> {
  const stage = await openStage(options);
  const kubectl = await openKubectl(stage);
  await applyDefinitions(kubectl);
  const installation = await openInstallation(stage);
  await installation.start('watcher', settings);
  const worker = await installation.start('worker', settings);
  const bridge = await installation.start('bridge', settings);

  const resourceOf: BridgedStage['resourceOf'] = (name, kind = PYTORCH) =>
    stage.cluster.get(kind, stage.namespace, name);
  const until: BridgedStage['until'] = (name, what, is, kind) =>
    eventually(`${name} ${what}`, async () => {
      const found = await resourceOf(name, kind);
      if (!is(found)) throw new Error(`it has ${JSON.stringify(found.status)}`);
      return found;
    });
  const untilPhase: BridgedStage['untilPhase'] = (name, phase, kind) =>
    until(name, `is ${phase}`, ({ status }) => status?.phase === phase, kind);
  const eventsOf: BridgedStage['eventsOf'] = async ({ metadata: { uid } }) => {
    const selection = { namespace: stage.namespace, fieldSelector: `involvedObject.uid=${uid}` };
    const { items } = await stage.cluster.list(EVENTS, selection);
    return items.map(({ type, reason, message }) => ({
      ...{ type: String(type), reason: String(reason), message: String(message) },
    }));
  };
  const close = async () => {
    await kubectl('delete', 'pytorchjobs,tfjobs,mpijobs,jobs.batch.volcano.sh,trainjobs', '--all');
    await installation.close();
    await stage.close();
    await deleteDefinitions(kubectl);
  };
  return { stage, kubectl, worker, bridge, resourceOf, until, untilPhase, eventsOf, close };
}

/** How many pods a resource says that are active. */
export const activeOf = ({ status }: JobResource): number =>
  Object.values(status?.replicaStatuses ?? {}).reduce((sum, { active = 0 }) => sum + active, 0);
