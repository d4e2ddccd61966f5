import { setTimeout as delay } from 'node:timers/promises';
import type { ComponentName } from '@signalbox/sandbox';
import { sandboxStatus } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';

/** The servers that the engine needs: they die, and the sandbox starts them again; or they sleep. */

const SERVERS = [
  'temporal',
  'kube-apiserver',
  'etcd',
  'kube-scheduler',
  'kube-controller-manager',
] as const satisfies readonly ComponentName[];

const ASLEEP_MS = [500, 9_000] as const;

export async function troubleServer(
  { note }: Pick<ChaosRun, 'note'>,
  dir: string,
  chance: Chance,
): Promise<string | undefined> {
  const name = chance.pick(SERVERS);
  const isKilled = chance.between(0, 1) === 0;
  const asleepMs = chance.between(...ASLEEP_MS);
  const pid = pidOf(dir, name);
  if (pid === undefined) return undefined;
  if (isKilled) {
    note(`${name} is killed`);
    process.kill(pid, 'SIGKILL');
    return `SIGKILL: ${name}`;
  }
  note(`${name} sleeps for ${asleepMs} ms`);
  process.kill(pid, 'SIGSTOP');
  await delay(asleepMs);
  process.kill(pid, 'SIGCONT');
  return `SIGSTOP: ${name}`;
}

/** The sandbox starts it again. */
export async function restartServer(dir: string, name: ComponentName): Promise<void> {
  const before = pidOf(dir, name);
  if (before !== undefined) process.kill(before, 'SIGKILL');
  await eventually(`${name} runs again`, () => ![undefined, before].includes(pidOf(dir, name)));
}

export const untilServersReady = (dir: string) =>
  eventually('all servers are ready', () => {
    const status = sandboxStatus(dir);
    return status.running && status.state.components.every(({ state }) => state === 'ready');
  });

function pidOf(dir: string, name: ComponentName): number | undefined {
  const status = sandboxStatus(dir);
  if (!status.running) return undefined;
  const component = status.state.components.find((one) => one.name === name);
  return component?.state === 'ready' ? component.process?.pid : undefined;
}
