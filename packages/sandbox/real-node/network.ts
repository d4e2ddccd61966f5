import { run } from './command.ts';

/** A bridge of this machine with all nodes and pods: one flat network, without routes between nodes. */
export interface Network {
  readonly bridge: string;
  /** The first two octets of all addresses: 10.201. */
  readonly prefix: string;
}

/** The address of this machine on the bridge, for the name server and the control plane. */
export const hostAddress = ({ prefix }: Network): string => `${prefix}.0.1`;

export const nodeAddress = ({ prefix }: Network, index: number): string => `${prefix}.${index}.1`;

/** Addresses for the pods of a node. */
export const podRange = ({ prefix }: Network, index: number) => ({
  subnet: `${prefix}.0.0/16`,
  rangeStart: `${prefix}.${index}.10`,
  rangeEnd: `${prefix}.${index}.250`,
  gateway: nodeAddress({ bridge: '', prefix }, index),
});

/** The API server's Service; iptables rules replace kube-proxy for it. */
const API_SERVICE = '10.0.0.1';

const FIRST = 201;
const LAST = 249;

/** Returns the first network that no interface or route of this machine uses. */
export async function chooseNetwork(): Promise<Network> {
  const used = `${await run('ip', ['-4', 'addr'])}\n${await run('ip', ['-4', 'route'])}`;
  for (let number = FIRST; number <= LAST; number += 1) {
    const prefix = `10.${number}`;
    if (!used.includes(` ${prefix}.`) && !used.startsWith(`${prefix}.`))
      return { bridge: `sbx${number}`, prefix };
  }
  throw new Error(`no network for real nodes: 10.${FIRST}.0.0/16 to 10.${LAST}.0.0/16 are all in use`);
}

export async function createBridge(network: Network): Promise<void> {
  const { bridge } = network;
  await run('ip', ['link', 'add', bridge, 'address', hardwareAddress(network, 0), 'type', 'bridge']);
  await run('ip', ['addr', 'add', `${hostAddress(network)}/16`, 'dev', bridge]);
  await run('ip', ['link', 'set', bridge, 'up']);
}

export async function removeBridge({ bridge }: Network): Promise<void> {
  await run('ip', ['link', 'del', bridge]).catch(() => undefined); // it is gone already
}

/**
 * Connects a node's network namespace: a veth pair to the bridge, and a bridge inside for its pods. The pair ends with
 * the namespace, and so do the rules that replace kube-proxy.
 */
export async function connectNode(
  network: Network,
  { index, init, apiPort }: { index: number; init: number; apiPort: number },
): Promise<void> {
  const cable = `${network.bridge}n${index}`;
  const peer = ['type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init)];
  await run('ip', ['link', 'add', cable, ...peer]);
  await run('ip', ['link', 'set', cable, 'master', network.bridge, 'up']);
  const inside = (program: string, ...args: string[]) =>
    run('nsenter', ['--target', String(init), '--mount', '--net', '--', program, ...args]);
  await inside('ip', 'link', 'set', 'lo', 'up');
  const mac = hardwareAddress(network, index);
  await inside('ip', 'link', 'add', 'cni0', 'address', mac, 'type', 'bridge');
  await inside('ip', 'addr', 'add', `${nodeAddress(network, index)}/16`, 'dev', 'cni0');
  await inside('ip', 'link', 'set', 'cni0', 'up');
  await inside('ip', 'link', 'set', 'eth0', 'master', 'cni0', 'up');
  await inside('ip', 'route', 'add', 'default', 'via', hostAddress(network));
  await inside('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  const nat = (...args: string[]) => inside('iptables', '-t', 'nat', ...args);
  const api = `${hostAddress(network)}:${apiPort}`;
  const toService = ['-d', API_SERVICE, '-p', 'tcp', '--dport', '443'];
  await nat('-A', 'PREROUTING', ...toService, '-j', 'DNAT', '--to-destination', api);
  // Answers must take the same way back, or they would come from another address than the pod called.
  await nat(
    '-A',
    'POSTROUTING',
    '-d',
    hostAddress(network),
    '-p',
    'tcp',
    '--dport',
    `${apiPort}`,
    '-j',
    'MASQUERADE',
  );
}

/**
 * A bridge without its own hardware address takes the lowest of its ports and changes it when pods come and go. Pods
 * with the old one in their ARP tables would be cut off for up to 40 s.
 */
function hardwareAddress({ prefix }: Network, index: number): string {
  const number = Number(prefix.split('.')[1]);
  return `02:53:42:00:${hex(number)}:${hex(index)}`;
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
