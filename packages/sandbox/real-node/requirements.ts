import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PATH } from './command.ts';

const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];
const CNI_PLUGINS = ['bridge', 'host-local', 'loopback'];

/** The Debian package of each program. */
const PACKAGES: Readonly<Record<string, string>> = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  busybox: 'busybox-static',
  ip: 'iproute2',
  iptables: 'iptables',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  openssl: 'openssl',
  tar: 'tar',
};

/** Returns a sentence with a remedy for each missing requirement; none if real nodes can run. */
export function missingRequirements(): string[] {
  if (process.platform !== 'linux') return [`real nodes need Linux, and this is ${process.platform}`];
  const missing = process.getuid?.() === 0 ? [] : ['real nodes need root: run the command with sudo'];
  const programs = Object.keys(PACKAGES).filter((name) => findProgram(name) === undefined);
  const packages = new Set(programs.map((name) => PACKAGES[name]!));
  const plugins = cniFolder() === undefined ? CNI_PLUGINS.map((name) => `the CNI plugin ${name}`) : [];
  if (plugins.length > 0) packages.add('containernetworking-plugins');
  if (packages.size > 0) {
    const lacks = [...programs, ...plugins].join(', ');
    missing.push(
      `this machine lacks ${lacks}: apt-get install --no-install-recommends ${[...packages].join(' ')}`,
    );
  }
  return missing.length > 0 ? missing : missingPrivileges();
}

/** Tries what a node needs, in throw-away namespaces: in many containers root lacks the privileges. */
const TRIAL = 'mount -t tmpfs tmpfs /run && ip link add trial type bridge && iptables -t nat -L -n';

function missingPrivileges(): string[] {
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--mount-proc'];
  const env = { ...process.env, PATH };
  const { status, stderr } = spawnSync('unshare', [...namespaces, 'sh', '-c', TRIAL], { env });
  if (status === 0) return [];
  return [
    `root may not make namespaces, bridges or rules for addresses here: ${String(stderr).trim()}; run it on a dedicated machine, or in a privileged container`,
  ];
}

/** Returns the folder of the CNI plugins: Debian's, or the usual one. */
export function cniFolder(): string | undefined {
  return CNI_FOLDERS.find((folder) => CNI_PLUGINS.every((name) => existsSync(join(folder, name))));
}

export function findProgram(name: string): string | undefined {
  const paths = PATH.split(delimiter).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path));
}
