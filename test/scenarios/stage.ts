import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ensureSandbox, type Sandbox, sandboxLayout } from '@signalbox/sandbox';
import type { Client } from '@temporalio/client';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  NAMESPACES,
  POD_GROUPS,
  PODS,
  type Pod,
  type Resource,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import type { Phase } from '../../contracts/types.ts';
import { Engine, type EngineCommand } from '../../demo/engine.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { TEST_SANDBOX, TEST_SANDBOX_DIR } from '../test-sandbox.ts';
import { startSharedEngine, stopSharedEngine } from './shared-engine.ts';

/** Real servers, and a namespace for one test file. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  readonly client: SignalboxClient;
  readonly namespace: string;
  /** `settings`: of its first start. */
  engine(command: EngineCommand, settings?: NodeJS.ProcessEnv): Promise<Engine>;
  /** Kinds and names of what is in the namespace, sorted, without what Kubernetes itself puts there. */
  objects(): Promise<string[]>;
  pods(job: string): Promise<readonly Pod[]>;
  pod(name: string): Promise<Pod>;
  /** Lets a simulated pod end; with a uid only that very one. */
  endPod(name: string, how: { readonly exitCode: number; readonly uid?: string }): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Default true. */
  readonly localNode?: boolean;
  /** A sandbox that is there already, instead of the one that all scenarios share. */
  readonly sandbox?: Sandbox;
  /**
   * Runs with the engine that the files of this process share, for scenarios that neither stop it nor read its log. A warm
   * engine saves its start, and its first jobs take less processor time.
   */
  readonly sharesEngine?: boolean;
}

export async function openStage({
  localNode = true,
  sandbox: given,
  sharesEngine = false,
}: StageOptions = {}): Promise<Stage> {
  const shared = { ...TEST_SANDBOX, dir: TEST_SANDBOX_DIR, localNode };
  const sandbox = given ?? (await ensureSandbox(shared));
  await (sharesEngine ? startSharedEngine(sandbox) : stopSharedEngine());
  const cluster = await ClusterClient.connect({ kubeconfig: sandbox.kubeconfig });
  const temporalSettings = { address: sandbox.temporalAddress, namespace: 'default' };
  const temporal = await connectTemporal(temporalSettings);
  const namespace = `test-${randomUUID().slice(0, 8)}`;
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const client = await SignalboxClient.connect({
    temporal: temporalSettings,
    cluster: { kubeconfig: sandbox.kubeconfig },
    evidence: { store: 'files', directory: sandboxLayout(sandbox.dir).evidence },
    namespace,
    submittedBy: 'a test',
  });
  const engines: Engine[] = [];
  const selection = { namespace };
  return {
    sandbox,
    cluster,
    temporal,
    client,
    namespace,
    engine: async (command, settings) => {
      const logFile = join(sandbox.dir, 'engines', `${namespace}-${command}.log`);
      const engine = new Engine(command, sandbox, { logFile });
      engines.push(engine);
      return engine.start(settings);
    },
    objects: () => objectsIn(cluster, namespace),
    pods: async (job) =>
      (await cluster.list(PODS, { ...selection, labelSelector: `signalbox.dev/job=${job}` })).items,
    pod: (name) => cluster.get(PODS, namespace, name),
    endPod: async (name, { exitCode, uid }) => {
      const annotations = {
        'signalbox.dev/simulate': exitCode === 0 ? 'succeeded' : 'failed',
        'signalbox.dev/simulate-exit-code': String(exitCode),
      };
      await cluster.patch(PODS, { namespace, name }, { metadata: { uid, annotations } });
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.stop()));
      await cluster.delete(NAMESPACES, undefined, namespace);
      await client.close();
      await temporal.connection.close();
      await cluster.close();
    },
  };
}

const LISTED: readonly Resource[] = [CONFIG_MAPS, SERVICES, POD_GROUPS, PODS];

async function objectsIn(cluster: ClusterClient, namespace: string): Promise<string[]> {
  const lists = await Promise.all(
    LISTED.map(async (resource) => {
      const { items } = await cluster.list(resource, { namespace });
      return items.map(({ metadata }) => `${resource.kind}/${metadata.name}`);
    }),
  );
  return lists
    .flat()
    .filter((name) => name !== 'ConfigMap/kube-root-ca.crt')
    .sort();
}

/** Waits until exactly these objects are in the namespace. */
export const untilObjects = (stage: Stage, expected: readonly string[]): Promise<string[]> =>
  untilListed(() => stage.objects(), expected);

/** Waits until exactly these objects are there whose names begin with the job's. */
export const untilLeft = (stage: Stage, job: string, expected: readonly string[]): Promise<string[]> =>
  untilListed(() => objectsOf(stage, job), expected);

/** The objects in the namespace whose names begin with the job's. */
export const objectsOf = async (stage: Stage, job: string): Promise<string[]> =>
  (await stage.objects()).filter((object) => object.slice(object.indexOf('/') + 1).startsWith(job));

function untilListed(list: () => Promise<string[]>, expected: readonly string[]): Promise<string[]> {
  const wanted = [...expected].sort();
  return eventually(`only ${wanted.join(', ') || 'nothing'} is left`, async () => {
    const found = await list();
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`found ${found.join(', ')}`);
    return found;
  });
}

export const untilPhase = (job: JobHandle, phase: Phase) =>
  eventually(`the job is ${phase}`, async () => {
    const status = await statusOf(job);
    if (status.phase !== phase) throw new Error(`it is ${status.phase}: ${status.cause?.message}`);
    return status;
  });
