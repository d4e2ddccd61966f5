import { setTimeout as delay } from 'node:timers/promises';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** What each process reaches its servers through, by a name for both ends. */
export type Proxies = Readonly<Record<string, TcpProxy>>;

const WEIGHTS = { delay: 8, cut: 4, halfOpen: 1 } as const;
const DELAY_MS = [20, 2_000] as const;
const HALF_OPEN_MS = [2_000, 30_000] as const;
const DIRECTIONS = [['there', 'back'], ['there'], ['back']] as const;

/** Something happens to a connection of a process to a server. */
export async function troubleConnection(
  { note }: Pick<ChaosRun, 'note'>,
  network: Proxies,
  chance: Chance,
): Promise<string | undefined> {
  const [name, proxy] = chance.pick(Object.entries(network))!;
  const link = chance.pick(proxy.links);
  const fault = chance.weighed(WEIGHTS);
  const delayMs = chance.between(...DELAY_MS);
  const halfOpenMs = chance.between(...HALF_OPEN_MS);
  const directions = chance.pick(DIRECTIONS)!;
  if (!link) return undefined;
  switch (fault) {
    case 'delay':
      proxy.delay(link, delayMs);
      // It is not waited for, nor is the next one: others are troubled meanwhile.
      setTimeout(() => proxy.delay(link, 0), delayMs * 3);
      return 'network: delays a connection';
    case 'cut':
      proxy.cut(link);
      return 'network: cuts a connection';
    case 'halfOpen':
      note(`a connection of ${name} is half open (${directions.join(', ')}), for ${halfOpenMs} ms`);
      proxy.halfOpen(link, directions);
      setTimeout(() => proxy.cut(link), halfOpenMs);
      return 'network: half-opens a connection';
  }
}

/** Up to more than the time after which Temporal gives a worker's activities to another one. */
const AWAY_MS = [500, 15_000] as const;

/** A process does not get through to a server at all: it is refused, or hears nothing. */
export async function partition(
  { note }: Pick<ChaosRun, 'note'>,
  network: Proxies,
  chance: Chance,
): Promise<string> {
  const [name, proxy] = chance.pick(Object.entries(network))!;
  const isGraceful = chance.between(0, 2) === 0;
  const awayMs = chance.between(...AWAY_MS);
  note(`${isGraceful ? 'new connections are refused' : 'nothing gets through'}: ${name}, for ${awayMs} ms`);
  if (isGraceful) proxy.refuse();
  else proxy.partition();
  await delay(awayMs);
  proxy.heal();
  return isGraceful ? 'network: refuses connections' : 'network: partition of a process from a server';
}
