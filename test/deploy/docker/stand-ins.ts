import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { installLibraries, installNode, makeRootFolder } from '@signalbox/sandbox/real-node';
import {
  archiveLayout,
  type ImageConfig,
  type ImageLayer,
  makeLayer,
  writeLayout,
} from '../../../scripts/image/oci-layout.ts';
import { ownPlatform } from '../../../scripts/image/platforms.ts';

/**
 * Images in the place of those that docker-compose.yml names, which only a registry has: the same programs, built from
 * their sources or from Debian, with entry points that read the same environment.
 */

/** Where Debian's packages put each version. */
export const POSTGRES_FOLDER = '/usr/lib/postgresql';
const HERE = join(import.meta.dirname, 'stand-ins');
const PATH = 'PATH=/usr/local/bin:/usr/bin:/bin';

export interface StandIn {
  /** The variable of .env that names it. */
  readonly variable: string;
  readonly image: string;
  /** For `docker load`. */
  readonly archive: string;
}

/** Makes all of them in a folder. */
export async function makeStandIns(dir: string, api: ApiServer): Promise<readonly StandIn[]> {
  return makeParts(dir, { ...DATABASE, ...(await temporalParts()), ...(await clusterPart(dir, api)) });
}

async function makeParts(dir: string, parts: Parts): Promise<readonly StandIn[]> {
  const layer = async (name: string, fill: (root: string) => Promise<void>): Promise<ImageLayer> => {
    const root = join(dir, name);
    mkdirSync(root, { recursive: true });
    await fill(root);
    return makeLayer(root, `${root}.tar.gz`);
  };
  const shell = await layer('shell', makeShell);
  const made: StandIn[] = [];
  for (const [variable, { fill, config }] of Object.entries(parts)) {
    const name = variable.toLowerCase().replaceAll('_', '-');
    const image = `stand-in/${name}:1`;
    const layers = [shell, await layer(name, fill)];
    const layout = join(dir, `${name}.layout`);
    writeLayout(layout, image, [{ platform: ownPlatform(), layers, config: { Env: [PATH], ...config } }]);
    const archive = join(dir, `${name}.tar`);
    await archiveLayout(layout, archive);
    made.push({ variable, image, archive });
  }
  return made;
}

/** The API server that the stand-in of k3s forwards to. */
export interface ApiServer {
  readonly host: string;
  readonly port: number;
  /** The certificate that it shows, and a token of an administrator. */
  readonly ca: string;
  readonly token: string;
}

/** By the variable of .env that names the image. */
type Parts = Readonly<Record<string, Part>>;

interface Part {
  fill(root: string): Promise<void>;
  readonly config: ImageConfig;
}

/** As Alpine has them. */
async function makeShell(root: string): Promise<void> {
  await makeRootFolder(root);
  await install(root, 'getent', '/usr/bin/getent');
  copyProgram(join(HERE, 'nc.sh'), join(root, 'usr/local/bin/nc'));
  const users = ['root:x:0:0::/root:/bin/sh', 'postgres:x:70:70::/var/lib/postgresql:/bin/sh'];
  writeFileSync(join(root, 'etc/passwd'), `${[...users, 'temporal:x:1000:1000::/tmp:/bin/sh'].join('\n')}\n`);
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\npostgres:x:70:\ntemporal:x:1000:\n');
}

const DATABASE: Parts = {
  POSTGRES_IMAGE: {
    async fill(root) {
      const versions = readdirSync(POSTGRES_FOLDER).map(Number);
      const folder = join(POSTGRES_FOLDER, String(Math.max(...versions)));
      // Without its compiler of queries, as it is on Alpine: that needs all of LLVM.
      const isNeeded = (path: string) => !/llvmjit|bitcode/.test(path);
      cpSync(folder, join(root, folder), { recursive: true, filter: isNeeded });
      const shared = folder.replace('/lib/', '/share/');
      cpSync(shared, join(root, shared), { recursive: true });
      // The plain texts that the shared folder of a version refers to.
      for (const path of ['/usr/share/postgresql-common', '/usr/share/zoneinfo'])
        if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true });
      const programs = readdirSync(join(folder, 'bin'));
      for (const program of programs) await installLibraries(root, join(folder, 'bin', program));
      mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
      for (const program of programs)
        writeFileSync(
          join(root, 'usr/local/bin', program),
          `#!/bin/sh\nexec ${join(folder, 'bin', program)} "$@"\n`,
          { mode: 0o755 },
        );
      copyProgram(join(HERE, 'postgres.sh'), join(root, 'usr/local/bin/docker-entrypoint.sh'));
    },
    config: {
      Entrypoint: ['docker-entrypoint.sh'],
      Cmd: ['postgres'],
      Env: [PATH, 'PGDATA=/var/lib/postgresql/data'],
    },
  },
};

async function temporalParts(): Promise<Parts> {
  const programs = await ensurePrograms({
    names: ['temporal', 'temporal-server', 'temporal-sql-tool', 'temporal-ui'],
  });
  const to = (root: string, name: string) => join(root, 'usr/local/bin', name);
  return {
    TEMPORAL_IMAGE: {
      async fill(root) {
        copyProgram(programs['temporal-server'], to(root, 'temporal-server'));
        const script = join(
          sourceOf('temporal-server', 'go.temporal.io/server'),
          'docker/scripts/sh/entrypoint.sh',
        );
        copyProgram(script, join(root, 'etc/temporal/entrypoint.sh'));
      },
      config: { Cmd: ['/etc/temporal/entrypoint.sh'], WorkingDir: '/etc/temporal', User: 'temporal' },
    },
    TEMPORAL_TOOLS_IMAGE: {
      async fill(root) {
        copyProgram(programs.temporal, to(root, 'temporal'));
        copyProgram(programs['temporal-sql-tool'], to(root, 'temporal-sql-tool'));
      },
      config: { Cmd: ['sh'], User: 'temporal' },
    },
    TEMPORAL_UI_IMAGE: {
      async fill(root) {
        const home = join(root, 'home/ui-server');
        copyProgram(programs['temporal-ui'], join(home, 'ui-server'));
        const config = join(
          sourceOf('temporal-ui', 'github.com/temporalio/ui-server/v2'),
          'config/docker.yaml',
        );
        copyProgram(config, join(home, 'config/docker.yaml'));
      },
      config: {
        Entrypoint: ['./ui-server', '--env', 'docker', 'start'],
        WorkingDir: '/home/ui-server',
        User: 'temporal',
        ExposedPorts: { '8080/tcp': {} },
      },
    },
  };
}

async function clusterPart(dir: string, api: ApiServer): Promise<Parts> {
  const { kubectl } = await ensurePrograms({ names: ['kubectl'] });
  return {
    CLUSTER_IMAGE: {
      async fill(root) {
        await installNode(root);
        copyProgram(kubectl, join(root, 'usr/local/bin/kubectl'));
        copyProgram(join(HERE, 'k3s.mjs'), join(root, 'bin/k3s'));
        const files = join(root, 'etc/stand-in');
        cpSync(makeCertificates(join(dir, 'certificates')), files, { recursive: true });
        writeFileSync(join(files, 'api.json'), JSON.stringify(api));
        writeFileSync(join(files, 'kubeconfig'), JSON.stringify(kubeconfigOf('/etc/stand-in')));
      },
      config: {
        Entrypoint: ['/bin/k3s'],
        Cmd: ['agent'],
        Env: [PATH, 'KUBECONFIG=/etc/stand-in/kubeconfig'],
      },
    },
  };
}

const kubeconfigOf = (files: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'k3s',
  contexts: [{ name: 'k3s', context: { cluster: 'k3s', user: 'k3s' } }],
  clusters: [
    {
      name: 'k3s',
      cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority': `${files}/server-ca.crt` },
    },
  ],
  users: [
    {
      name: 'k3s',
      user: { 'client-certificate': `${files}/client-admin.crt`, 'client-key': `${files}/client-admin.key` },
    },
  ],
});

/** An authority, a server and an administrator, named as k3s names their files. */
function makeCertificates(dir: string): string {
  mkdirSync(dir, { recursive: true });
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const newKey = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(...newKey, '-days', '2', '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'server-ca.crt');
  const issue = (name: string, extension: string) =>
    openssl(
      ...[...newKey, '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`],
      ...['-CA', 'server-ca.crt', '-CAkey', 'ca.key', '-addext', extension],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    );
  issue('server', 'subjectAltName=DNS:cluster,IP:127.0.0.1');
  issue('client-admin', 'extendedKeyUsage=clientAuth');
  return dir;
}

/** The sources of a Go module that a program is built from. */
function sourceOf(program: string, module: string): string {
  const cwd = join(import.meta.dirname, '../../../packages/sandbox/programs', program);
  const args = ['mod', 'download', '-json', module];
  return JSON.parse(execFileSync('go', args, { cwd, encoding: 'utf8' })).Dir;
}

async function install(root: string, name: string, program: string): Promise<void> {
  copyProgram(program, join(root, 'usr/local/bin', name));
  await installLibraries(root, program);
}

function copyProgram(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
  chmodSync(to, 0o755);
}
