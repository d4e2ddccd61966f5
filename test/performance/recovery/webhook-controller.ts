import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installCustomResources, type OperatorWithWebhooks } from '@signalbox/sandbox';
import { parseAllDocuments, stringify } from 'yaml';
import type { ClusterClient } from '../../../cluster/client.ts';
import {
  type KubeObject,
  NAMESPACES,
  type Resource,
  SECRETS,
  SERVICES,
} from '../../../contracts/kubernetes.ts';
import { freePort } from '../../../worker/free-port.ts';
import { mountWebhookSecret } from '../../webhook-certificate.ts';
import { withWebhookService } from '../../webhook-service.ts';
import { answersOk, MeasuredProcess } from '../measured-process.ts';

/** A controller of others whose webhooks the API server calls: JobSet's, Trainer's. */
export interface WebhookController {
  /** Of its process, in messages. */
  readonly name: string;
  readonly files: OperatorWithWebhooks;
  readonly namespace: string;
  readonly service: string;
  readonly secret: string;
  /** The kinds of its configurations of webhooks, and the names by which it looks for them. */
  readonly configurations: Readonly<Record<string, string>>;
  /** Of a webhook that is called for objects of others too: those that it is for. */
  selectorOf?(path: string): object | undefined;
  /** Its own, with these ports; the rest is as it is shipped. */
  config(ports: ControllerPorts): object;
}

interface ControllerPorts {
  readonly webhook: number;
  readonly health: number;
}

/** Where JobSet and Trainer look for their certificate; neither can be told otherwise. */
const CERTIFICATES = '/tmp/k8s-webhook-server';

export interface RunningController {
  /** Kills it, and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface ControllerPlace {
  readonly cluster: ClusterClient;
  readonly kubeconfig: string;
  readonly dir: string;
}

/** A Deployment starts it again where it ends: while the API server does not list its new kinds yet. */
const TRIES = 5;

/** Installs its kinds and webhooks, and starts it. */
export async function startWebhookController(
  controller: WebhookController,
  { cluster, kubeconfig, dir }: ControllerPlace,
): Promise<RunningController> {
  const ports = { webhook: await freePort(), health: await freePort() };
  const folder = join(dir, controller.name);
  await mkdir(join(folder, 'serving-certs'), { recursive: true });
  await mkdir(CERTIFICATES, { recursive: true });
  const config = join(folder, 'config.yaml');
  await writeFile(config, stringify(controller.config(ports)));
  await installCustomResources(cluster, [controller.files.customResources]);
  await installWebhooks(controller, cluster, ports.webhook);
  const start = async (tries = TRIES): Promise<ControllerProcess> => {
    const started = new ControllerProcess(controller, { kubeconfig, folder, config });
    try {
      await started.untilServing(cluster, ports.health);
      return started;
    } catch (error) {
      if (tries <= 1) throw error;
      return start(tries - 1);
    }
  };
  let running = await start();
  return {
    restart: async () => {
      await running.kill();
      running = await start();
    },
    close: () => running.stop(),
  };
}

/** With the certificates in a folder of its own: others look for theirs in the same one. */
class ControllerProcess extends MeasuredProcess {
  readonly #secret: { readonly namespace: string; readonly name: string };
  readonly #folder: string;

  constructor(
    { name, files, namespace, secret }: WebhookController,
    { kubeconfig, folder, config }: Readonly<Record<'kubeconfig' | 'folder' | 'config', string>>,
  ) {
    const mounting = `mount --bind "$0" ${CERTIFICATES} && exec "$@"`;
    const program = [files.program, `--config=${config}`, '--zap-log-level=error'];
    const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    super({
      name,
      program: 'unshare',
      args: ['--mount', ...asUser, 'sh', '-c', mounting, folder, ...program],
      env: { KUBECONFIG: kubeconfig },
    });
    this.#secret = { namespace, name: secret };
    this.#folder = folder;
  }

  untilServing(cluster: ClusterClient, healthPort: number): Promise<void> {
    const readyz = `http://127.0.0.1:${healthPort}/readyz`;
    const certificates = join(this.#folder, 'serving-certs');
    return this.untilReady(
      async () =>
        (await mountWebhookSecret(cluster, this.#secret, certificates)) && (await answersOk(readyz)),
    );
  }
}

/** The API server finds the process by a Service of type ExternalName, where a cluster has the Pods of a Deployment. */
async function installWebhooks(
  controller: WebhookController,
  cluster: ClusterClient,
  port: number,
): Promise<void> {
  const { namespace, service, secret } = controller;
  const at = (name: string) => ({ metadata: { namespace, name } });
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await cluster.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', ...at(secret) });
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await cluster.create(SERVICES, { apiVersion: 'v1', kind: 'Service', ...at(service), spec });
  const documents = parseAllDocuments(await readFile(controller.files.webhooks, 'utf8'));
  const shipped = documents.flatMap((document) => (document.toJS() as WebhookConfiguration | null) ?? []);
  for (const one of shipped)
    await cluster.create(configurationsOf(one.kind), configurationOf(one, controller, port));
}

interface WebhookConfiguration extends KubeObject {
  readonly webhooks: readonly {
    readonly clientConfig: { readonly service: { readonly path: string } };
  }[];
}

function configurationOf(
  { apiVersion, kind, webhooks }: WebhookConfiguration,
  { namespace, service, configurations, selectorOf }: WebhookController,
  port: number,
): KubeObject {
  const called = withWebhookService(webhooks, { namespace, name: service, port });
  const selected = called.map((webhook) => ({
    ...webhook,
    objectSelector: selectorOf?.(webhook.clientConfig.service.path),
  }));
  return { apiVersion, kind, metadata: { name: configurations[kind]! }, webhooks: selected };
}

const configurationsOf = (kind: string): Resource<KubeObject> => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});
