import { rm } from 'node:fs/promises';
import type { ClusterClient } from '../../cluster/client.ts';
import { isAlreadyExists } from '../../cluster/errors.ts';
import { SECRETS } from '../../contracts/kubernetes.ts';
import { freePort } from '../../worker/free-port.ts';
import { mountWebhookSecret } from '../webhook-certificate.ts';
import { answersOk, MeasuredProcess } from './measured-process.ts';
import { NAMESPACE } from './workload.ts';

export interface OperatorSettings {
  readonly program: string;
  readonly kubeconfig: string;
  /** Path of a template for the container in which workers wait for the master; by default its own. */
  readonly initContainer?: string;
}

interface Ports {
  readonly webhook: number;
  readonly probe: number;
}

/** With its limits raised: by default it has one thread per kind, and sends 20 requests a second. */
const FLAGS = [
  ...['--enable-scheme=pytorchjob', '--metrics-bind-address=0'],
  ...['--controller-threads=10', '--kube-api-qps=5000', '--kube-api-burst=5000'],
  // Its log would cost processor time of the bench, which reads it.
  '--zap-log-level=error',
];

/** training-operator in a process of its own. */
export class OperatorProcess extends MeasuredProcess {
  static async start(settings: OperatorSettings, cluster: ClusterClient): Promise<OperatorProcess> {
    await unmountWebhookSecret();
    await createWebhookSecret(cluster);
    const ports = { webhook: await freePort(), probe: await freePort() };
    const operator = new OperatorProcess(settings, ports);
    const readyz = `http://127.0.0.1:${ports.probe}/readyz`;
    await operator.untilReady(
      async () => (await mountWebhookSecret(cluster, SECRET, FOLDER)) && (await answersOk(readyz)),
    );
    return operator;
  }

  private constructor({ program, kubeconfig, initContainer }: OperatorSettings, { webhook, probe }: Ports) {
    const template = initContainer ? [`--pytorch-init-container-template-file=${initContainer}`] : [];
    const ports = [`--webhook-server-port=${webhook}`, `--health-probe-bind-address=127.0.0.1:${probe}`];
    super({
      name: 'training-operator',
      program,
      args: [...FLAGS, ...ports, ...template],
      env: { KUBECONFIG: kubeconfig, MY_POD_NAMESPACE: NAMESPACE },
    });
  }

  override async stop(): Promise<void> {
    await super.stop();
    await unmountWebhookSecret();
  }
}

/** training-operator's own names for them. */
const SECRET = { namespace: NAMESPACE, name: 'training-operator-webhook-cert' };
const FOLDER = '/tmp/k8s-webhook-server/serving-certs';

/**
 * The empty Secret that training-operator's manifests have: it writes the certificate of its webhook to it. Without
 * one it never becomes ready, although no webhook is registered here.
 */
async function createWebhookSecret(cluster: ClusterClient): Promise<void> {
  await cluster
    .create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: SECRET })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
}

/** Also what an earlier bench has left, whose certificate would be another. */
const unmountWebhookSecret = (): Promise<void> => rm(FOLDER, { recursive: true, force: true });
