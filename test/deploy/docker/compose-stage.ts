import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import { forwardPort } from '@signalbox/sandbox/real-node';
import { parse, stringify } from 'yaml';
import { makeImage } from '../../../scripts/image/image.ts';
import { archiveLayout } from '../../../scripts/image/oci-layout.ts';
import { ownPlatform } from '../../../scripts/image/platforms.ts';
import { SUCCEEDS, simulatedJob } from '../../scenarios/manifests.ts';
import { ROOT } from '../manifests.ts';
import { DockerEngine, PERSON, type Printed } from './engine.ts';
import { type ApiServer, makeStandIns } from './stand-ins.ts';

/** What a person has after a checkout, of which docker-compose.yml and its page speak. */
const CHECKOUT = ['docker-compose.yml', '.env.example', 'deploy/compose'];
const SANDBOX = join(ROOT, '.signalbox/compose-sandbox');

/** A Docker engine with all images of docker-compose.yml, and a cluster that its containers reach. */
export class ComposeStage {
  readonly #engine: DockerEngine;
  readonly #forward: Server;
  readonly #scratch: string;
  readonly #images: Readonly<Record<string, string>>;
  readonly #api: ApiServer;

  static async open(): Promise<ComposeStage> {
    const scratch = mkdtempSync(join(tmpdir(), 'compose-'));
    // The person's folders are in it.
    chmodSync(scratch, 0o711);
    const engine = await DockerEngine.start();
    try {
      const api = await startCluster(engine.hostAddress);
      const forward = await forwardPort(api.host, api.port);
      const images = await loadImages(engine, scratch, api);
      return new ComposeStage({ engine, forward, scratch, images, api });
    } catch (error) {
      await engine.close();
      await resetSandbox(SANDBOX);
      rmSync(scratch, { recursive: true });
      throw error;
    }
  }

  private constructor(stage: {
    readonly engine: DockerEngine;
    readonly forward: Server;
    readonly scratch: string;
    readonly images: Readonly<Record<string, string>>;
    readonly api: ApiServer;
  }) {
    this.#engine = stage.engine;
    this.#forward = stage.forward;
    this.#scratch = stage.scratch;
    this.#images = stage.images;
    this.#api = stage.api;
  }

  /** A person's folder with the files of a checkout, a manifest of its name and the kubeconfig of a cluster. */
  newFolder(name: string): string {
    const folder = join(this.#scratch, name);
    rmSync(folder, { recursive: true, force: true });
    for (const path of CHECKOUT) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const job = simulatedJob({ name, namespace: 'default', master: { annotations: SUCCEEDS } });
    writeFileSync(join(folder, 'job.yaml'), stringify(job));
    mkdirSync(join(folder, '.kube'));
    const { port, ca, token } = this.#api;
    const cluster = {
      server: `https://host.docker.internal:${port}`,
      // Its certificate names no Docker, but what every API server is called in its own cluster.
      'tls-server-name': 'kubernetes',
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    };
    const kubeconfig = kubeconfigOf(cluster, { token });
    writeFileSync(join(folder, '.kube/signalbox'), stringify(kubeconfig), { mode: 0o600 });
    for (const path of ['', '.kube', '.kube/signalbox']) chownSync(join(folder, path), PERSON, PERSON);
    return folder;
  }

  /** As a person types it there. */
  type(command: string, folder: string, env: Readonly<Record<string, string>> = {}): Promise<Printed> {
    return this.#engine.type(command, folder, { ...this.#images, ...env });
  }

  /** Whatever the engine has that is not there from its start, a line for each. */
  async leftovers(): Promise<readonly string[]> {
    const found = [
      await this.#engine.do('docker ps --all --quiet'),
      await this.#engine.do('docker volume ls --quiet'),
      await this.#engine.do('docker network ls --quiet --filter type=custom'),
      await this.#engine.do(
        "ip -oneline link | awk '{print $2}' | grep -vE '^(lo|eth0.*|docker0):$' || true",
      ),
    ];
    return found.flatMap((lines) => lines.split('\n')).filter(Boolean);
  }

  /** Whoever calls it again gets nothing more. */
  async close(): Promise<void> {
    if (!this.#forward.listening) return;
    this.#forward.close();
    await this.#engine.close();
    await resetSandbox(SANDBOX);
    rmSync(this.#scratch, { recursive: true });
  }
}

async function startCluster(host: string): Promise<ApiServer> {
  const { kubeconfig } = await ensureSandbox({
    ...{ dir: SANDBOX, durable: false, localNode: false, simulatedNodes: 2, gang: [] },
  });
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  return {
    ...{ host, port: Number(new URL(server).port), token: users[0].user.token },
    ca: Buffer.from(ca, 'base64').toString(),
  };
}

const kubeconfigOf = (cluster: object, user: object) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'mine',
  contexts: [{ name: 'mine', context: { cluster: 'mine', user: 'mine' } }],
  clusters: [{ name: 'mine', cluster }],
  users: [{ name: 'mine', user }],
});

/** Gives the variables of .env that name them. */
async function loadImages(
  engine: DockerEngine,
  scratch: string,
  api: ApiServer,
): Promise<Readonly<Record<string, string>>> {
  const layout = join(scratch, 'layout');
  await makeImage(layout, [ownPlatform()]);
  const own = join(scratch, 'signalbox.tar');
  await archiveLayout(layout, own);
  const standIns = await makeStandIns(join(scratch, 'stand-ins'), api);
  for (const archive of [own, ...standIns.map((one) => one.archive)]) await engine.load(archive);
  return Object.fromEntries(standIns.map(({ variable, image }) => [variable, image]));
}
