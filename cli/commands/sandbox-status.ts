import { dirname } from 'node:path';
import type { ComponentState, SandboxState } from '@signalbox/sandbox';
import { kubernetesReleases, sandboxLayout } from '@signalbox/sandbox';
import Table from 'cli-table3';
import pc from 'picocolors';

const color: Record<ComponentState['state'], (text: string) => string> = {
  ready: pc.green,
  starting: pc.yellow,
  restarting: pc.yellow,
  failed: pc.red,
  stopped: pc.dim,
};

/** Formats the components of a running sandbox, one per line. */
export function statusTable(state: SandboxState): string {
  const table = new Table({
    head: ['COMPONENT', 'STATE', 'PID', 'RESTARTS', 'ADDRESS', 'NOTE'],
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const component of state.components) {
    const { name, process, restarts, message } = component;
    table.push([
      name,
      color[component.state](component.state),
      process?.pid ?? '-',
      restarts,
      addressOf(state, name),
      message?.split('\n')[0] ?? noteOf(state, name),
    ]);
  }
  const failed = state.components
    .filter((component) => component.state === 'failed')
    .map(({ name, message, log }) => `\n\n${pc.red('✗')} ${name}: ${message}\n  log: ${log}`);
  return `${table.toString()}${failed.join('')}`;
}

/** Returns the commands that point kubectl, temporal, the clients and other tools at the sandbox. */
export function exports(
  sandbox: Pick<SandboxState, 'kubeconfig' | 'temporalAddress' | 'temporalUiUrl'>,
): string {
  return [
    `  export KUBECONFIG=${quote(sandbox.kubeconfig)}`,
    `  export TEMPORAL_ADDRESS=${sandbox.temporalAddress}`,
    `  export SIGNALBOX_ARCHIVE_DIR=${quote(sandboxLayout(dirname(sandbox.kubeconfig)).archive)}`,
    `  Temporal UI  ${pc.cyan(sandbox.temporalUiUrl)}`,
  ].join('\n');
}

function addressOf({ kubernetesUrl, temporalAddress, kubeconfig }: SandboxState, name: string): string {
  const addresses: Record<string, string> = {
    temporal: temporalAddress,
    'kube-apiserver': kubernetesUrl,
    etcd: `unix://${sandboxLayout(dirname(kubeconfig)).etcdSocket}`,
  };
  return addresses[name] ?? '';
}

const noteOf = ({ options }: SandboxState, name: string): string =>
  name === 'kube-apiserver' ? `Kubernetes ${kubernetesReleases[options.kubernetes].release}` : '';

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
