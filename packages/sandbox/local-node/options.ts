import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { networkOf } from './addresses.ts';

export interface NodeOptions {
  readonly kubeconfig: string;
  readonly nodeName: string;
  readonly dir: string;
  /** How many nvidia.com/gpu to pretend; undefined: those that the machine has are offered. */
  readonly gpus?: number;
  readonly cpus: number;
  readonly memory: string;
  readonly pods: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly label: Readonly<Record<string, string>>;
  readonly names: 'private' | 'none';
  readonly podNetwork: string;
  readonly workdir: string;
  readonly logPort: number;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly clientCaFile?: string;
  readonly logLevel: string;
}

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** The node offers more than a laptop has, so that example jobs fit on it. It does not limit processes. */
const LEAST_CPUS = 16;
const LEAST_MEMORY_GIB = 64;

type Derived = 'tlsCertFile' | 'tlsKeyFile' | 'podNetwork';
type Given = Omit<NodeOptions, Derived> & Partial<Pick<NodeOptions, Derived>>;

export function parseOptions(argv: readonly string[]): NodeOptions {
  const given = program().parse(argv, { from: 'user' }).opts<Given>();
  const certificates = join(dirname(resolve(given.kubeconfig)), 'credentials', 'kube-apiserver');
  return {
    tlsCertFile: join(certificates, 'apiserver.crt'),
    tlsKeyFile: join(certificates, 'apiserver.key'),
    podNetwork: networkOf(resolve(given.dir)),
    ...given,
    dir: resolve(given.dir),
  };
}

function program(): Command {
  const gib = Math.max(LEAST_MEMORY_GIB, Math.round(totalmem() / 2 ** 30));
  return new Command('local-node')
    .description('a Kubernetes node whose containers are processes of this machine')
    .requiredOption('--kubeconfig <file>', 'how to reach the API server')
    .requiredOption('--dir <folder>', 'where logs and hosts files of pods are kept')
    .option('--node-name <name>', 'name of the Node object', 'local')
    .option('--gpus <count>', 'nvidia.com/gpu to pretend (default: the GPUs that this machine has)', count)
    .option('--cpus <count>', 'cpu to offer', count, Math.max(LEAST_CPUS, availableParallelism()))
    .option('--memory <quantity>', 'memory to offer', `${gib}Gi`)
    .option('--pods <count>', 'pods at the same time', count, 110)
    .option('--resource <name=quantity>', 'another resource to pretend; may be repeated', pair, {})
    .option('--label <key=value>', 'another label of the Node; may be repeated', pair, {})
    .option(
      '--names <how>',
      '`private`: Service names resolve; `none`: pods see the machine’s names',
      how,
      'private',
    )
    .option(
      '--pod-network <octets>',
      'first two octets of pod addresses (default: 127.64 to 127.253, from --dir)',
    )
    .option('--workdir <folder>', 'working directory of containers', resolve, CHECKOUT)
    .option('--log-port <port>', 'port of the log server; 0 takes a free one', count, 0)
    .option(
      '--tls-cert-file <file>',
      'its certificate (default: credentials/kube-apiserver/apiserver.crt beside the kubeconfig)',
    )
    .option(
      '--tls-key-file <file>',
      'its key (default: credentials/kube-apiserver/apiserver.key beside the kubeconfig)',
    )
    .option('--client-ca-file <file>', 'ask readers of logs for a client certificate of this authority')
    .option('--log-level <level>', 'fatal, error, warn, info, debug or trace', 'info');
}

function count(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`expected an integer >= 0, got ${JSON.stringify(text)}`);
}

function pair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=');
  if (at > 0) return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
  throw new InvalidArgumentError(`expected name=value, got ${JSON.stringify(text)}`);
}

function how(text: string): string {
  if (text === 'private' || text === 'none') return text;
  throw new InvalidArgumentError(`expected private or none, got ${JSON.stringify(text)}`);
}
