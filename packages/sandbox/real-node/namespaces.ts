import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A node lives in namespaces of its own, as a container would: its processes, mounts and network devices. All of them
 * end with its first process, so nothing has to be unmounted or deleted, however a run ends.
 */

/** Programs use these folders, whatever they are configured to use. */
export const OWN_FOLDERS = ['/var/lib/kubelet', '/var/lib/cni'];

/** A kubelet sets these for the whole machine; here it finds them as it wants them, and changes nothing. */
const SETTINGS = {
  '/proc/sys/vm/overcommit_memory': '1',
  '/proc/sys/kernel/panic': '10',
  '/proc/sys/kernel/panic_on_oops': '1',
  '/proc/sys/kernel/keys/root_maxkeys': '1000000',
  '/proc/sys/kernel/keys/root_maxbytes': '25000000',
} as const;

/** The command that makes the namespaces and stays in them. `dir` is the node's own folder. */
export function namespacesCommand(dir: string): [string, ...string[]] {
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc'];
  const how = ['--fork', '--kill-child=SIGKILL', '--mount-proc'];
  return ['unshare', ...namespaces, ...how, 'sh', '-c', script(dir)];
}

/** Of what `namespacesCommand` started: the first process inside, once it has made everything. */
export function findInit(unshare: number): number | undefined {
  const children = readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
  const pid = Number(children.split(' ')[0]);
  return pid > 0 && existsSync(`/proc/${pid}/root/run/signalbox-ready`) ? pid : undefined;
}

/** A command that runs inside, as a process of the node. */
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

/** Its last line reaps what becomes an orphan, as every first process must. */
function script(dir: string): string {
  const folders = [
    ...OWN_FOLDERS.map((folder) => [`${dir}${folder}`, folder]),
    [`${dir}/var/log`, '/var/log'],
  ];
  const binds = folders.map(([own, folder]) => `mkdir -p ${own} && mount --bind ${own} ${folder}`);
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
