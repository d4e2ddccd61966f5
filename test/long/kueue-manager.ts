import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureJobSetDefinition, ensureKueue } from '@signalbox/sandbox';
import { parseAllDocuments, stringify } from 'yaml';
import { type KubeObject, NAMESPACES } from '../../contracts/kubernetes.ts';
import { freePort } from '../../worker/free-port.ts';
import { openInstallers } from '../deploy/installers.ts';
import { eventually } from '../eventually.ts';
import { answersOk } from '../performance/measured-process.ts';
import type { Stage } from '../scenarios/stage.ts';
import { createToken } from '../service-account.ts';
import { mountWebhookSecret } from '../webhook-certificate.ts';
import { withWebhookService } from '../webhook-service.ts';

/**
 * Kueue as its chart installs it, with the rights of its account, its webhooks and its definitions; but its manager is a
 * process on this machine. What is installed stays: the sandbox is removed after the test.
 */
export interface Kueue {
  /** Kills its manager. */
  stop(): Promise<void>;
  /** Starts its manager again. */
  restart(): Promise<void>;
}

/** Where Kueue is installed. */
export const KUEUE_SYSTEM = 'kueue-system';
const SECRET = { namespace: KUEUE_SYSTEM, name: 'kueue-webhook-server-cert' };

/** All that is on by default, and the kinds of Kubeflow, which are not since 0.19. Its controller of TrainJobs watches JobSets. */
const FRAMEWORKS = [
  ...['batch/job', 'pod', 'deployment', 'statefulset', 'kubeflow.org/mpijob'],
  'trainer.kubeflow.org/trainjob',
  ...['pytorchjob', 'tfjob', 'xgboostjob', 'paddlejob', 'jaxjob'].map((kind) => `kubeflow.org/${kind}`),
];

export async function startKueue({ sandbox, cluster }: Stage): Promise<Kueue> {
  const { program, chart } = await ensureKueue();
  const folder = join(sandbox.dir, 'kueue');
  await mkdir(folder, { recursive: true });
  const ports = { webhook: await freePort(), health: await freePort() };
  const { helm, kubectl } = await openInstallers(sandbox.kubeconfig);

  const values = join(folder, 'values.yaml');
  await writeFile(values, stringify(valuesOf(join(folder, 'certificates'), ports)));
  const rendered = objectsIn(await helm('template', 'kueue', chart, '-n', KUEUE_SYSTEM, '-f', values));
  const objects = join(folder, 'objects.yaml');
  await writeFile(objects, rendered.flatMap((object) => besideSandbox(object, ports.webhook)).join('---\n'));
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KUEUE_SYSTEM } });
  await kubectl('apply', '--server-side', '-f', await ensureJobSetDefinition());
  await kubectl('apply', '--server-side', '-f', objects);

  const config = join(folder, 'config.yaml');
  await writeFile(config, configIn(rendered));
  const kubeconfig = await kubeconfigOf({ sandbox, cluster }, folder);
  const start = async () => {
    const manager = startManager(program, { config, kubeconfig, folder });
    const isReady = async () => {
      if (manager.hasEnded()) throw new Error(`it has ended; see ${folder}/manager.log`);
      const isMounted = await mountWebhookSecret(cluster, SECRET, join(folder, 'certificates'));
      return isMounted && (await answersOk(`http://127.0.0.1:${ports.health}/readyz`));
    };
    try {
      await eventually('Kueue is ready', isReady);
    } catch (error) {
      await manager.stop();
      throw error;
    }
    return manager;
  };
  let manager = await start();
  return {
    stop: () => manager.stop(),
    restart: async () => {
      manager = await start();
    },
  };
}

interface ManagerFiles {
  readonly config: string;
  readonly kubeconfig: string;
  readonly folder: string;
}

function startManager(program: string, { config, kubeconfig, folder }: ManagerFiles) {
  const log = openSync(join(folder, 'manager.log'), 'a');
  const manager = spawn(program, [`--config=${config}`, '--zap-log-level=2'], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', log, log],
  });
  const ended = once(manager, 'exit');
  // However the test ends.
  const kill = () => void manager.kill('SIGKILL');
  process.once('exit', kill);
  manager.once('exit', () => process.off('exit', kill));
  const stop = async () => {
    kill();
    if (manager.exitCode === null && manager.signalCode === null) await ended;
  };
  return { stop, hasEnded: () => manager.exitCode !== null };
}

interface Ports {
  readonly webhook: number;
  readonly health: number;
}

/** Without its visibility API, whose Pod nothing on this machine would reach. */
const valuesOf = (certDir: string, { webhook, health }: Ports) => ({
  managerConfig: {
    controllerManagerConfigYaml: stringify({
      ...{ apiVersion: 'config.kueue.x-k8s.io/v1beta2', kind: 'Configuration', namespace: KUEUE_SYSTEM },
      health: { healthProbeBindAddress: `127.0.0.1:${health}` },
      metrics: { bindAddress: '0' },
      webhook: { host: '127.0.0.1', port: webhook, certDir },
      leaderElection: { leaderElect: false },
      waitForPodsReady: { timeout: '5m' },
      featureGates: { VisibilityOnDemand: false },
      integrations: { frameworks: FRAMEWORKS },
    }),
  },
});

const objectsIn = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);

/** The API server finds the process by a Service of type ExternalName, where a cluster has the Pods of a Deployment. */
function besideSandbox(object: KubeObject, port: number): string[] {
  if (object.kind === 'Deployment' || object.kind === 'APIService') return [];
  const isOfWebhook = object.kind === 'Service' && object.metadata.name === 'kueue-webhook-service';
  const beside = isOfWebhook
    ? { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } }
    : withWebhookService(object, { port });
  return [stringify(beside, { aliasDuplicateObjects: false })];
}

function configIn(objects: readonly KubeObject[]): string {
  const found = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'kueue-manager-config',
  ) as { readonly data: Readonly<Record<string, string>> } | undefined;
  return found!.data['controller_manager_config.yaml']!;
}

async function kubeconfigOf(
  { sandbox, cluster }: Pick<Stage, 'sandbox' | 'cluster'>,
  folder: string,
): Promise<string> {
  const config = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const token = await createToken(cluster, { namespace: KUEUE_SYSTEM, name: 'kueue-controller-manager' });
  const path = join(folder, 'kubeconfig');
  const users = [{ ...config.users[0], user: { token } }];
  await writeFile(path, JSON.stringify({ ...config, users }), { mode: 0o600 });
  return path;
}
