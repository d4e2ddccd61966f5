import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A node has its own namespaces for processes, mounts and network devices, like a container. All of them end with its
 * init process, so nothing has to be unmounted or deleted, however a run ends.
 */

/** Programs use these folders regardless of their configuration. */
export const OWN_FOLDERS = ['/var/lib/kubelet', '/var/lib/cni'];

/** A kubelet would set these for the whole machine. With the expected values it changes nothing. */
const SETTINGS = {
  '/proc/sys/vm/overcommit_memory': '1',
  '/proc/sys/kernel/panic': '10',
  '/proc/sys/kernel/panic_on_oops': '1',
  '/proc/sys/kernel/keys/root_maxkeys': '1000000',
  '/proc/sys/kernel/keys/root_maxbytes': '25000000',
} as const;

/**
 * Returns the command that creates the namespaces and stays in them. What is written to these folders, which exist, goes
 * to those of the same path in `dir`.
 */
export function namespacesCommand(
  dir: string,
  ownFolders: readonly string[] = [...OWN_FOLDERS, '/var/log'],
): [string, ...string[]] {
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc'];
  const how = ['--fork', '--kill-child=SIGKILL', '--mount-proc'];
  return ['unshare', ...namespaces, ...how, 'sh', '-c', script(dir, ownFolders)];
}

/** Returns the init process of a started `namespacesCommand`, once it has set up everything. */
export function findInit(unshare: number): number | undefined {
  const children = readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
  const pid = Number(children.split(' ')[0]);
  return pid > 0 && existsSync(`/proc/${pid}/root/run/signalbox-ready`) ? pid : undefined;
}

/** Returns the command line that runs a command in the node's namespaces. */
export const inside = (init: number, ...command: string[]): [string, ...string[]] => [
  'nsenter',
  `--target=${init}`,
  '--mount',
  '--net',
  '--pid',
  '--uts',
  '--ipc',
  '--',
  ...command,
];

export async function untilGone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await delay(20);
}

/** The last line reaps orphans, as every init process must. */
function script(dir: string, ownFolders: readonly string[]): string {
  const binds = ownFolders.map(
    (folder) => `mkdir -p ${dir}${folder} && mount --bind ${dir}${folder} ${folder}`,
  );
  const settings = Object.entries(SETTINGS).map(([path, value], index) => {
    const file = `/run/setting-${index}`;
    return `[ ! -e ${path} ] || { echo ${value} > ${file} && mount --bind ${file} ${path}; }`;
  });
  return [
    'set -e',
    'mount --make-rshared /',
    'mount -t tmpfs tmpfs /run',
    ...binds,
    ...settings,
    'touch /run/signalbox-ready',
    'while :; do sleep 2147483 & wait $!; done',
  ].join('\n');
}
