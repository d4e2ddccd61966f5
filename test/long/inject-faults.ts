import { setTimeout as delay } from 'node:timers/promises';
import { troubleEngine } from '../scenarios/chaos-engine.ts';
import {
  type Deed,
  intervene,
  type Monkey,
  repeatedly,
  troubleNodes,
  troublePods,
} from '../scenarios/chaos-monkey.ts';
import { repeatOldWords } from '../scenarios/chaos-words.ts';
import type { Ground } from './ground.ts';
import { partition, troubleConnection } from './network.ts';
import { changePolicy } from './people.ts';
import { drainNode, endPolitely } from './pods.ts';
import { fillQuota } from './quota.ts';
import { troubleServer, untilServersReady } from './servers.ts';
import type { Tally } from './tally.ts';
import { unlessTrouble, untilDone } from './until-done.ts';

/** Of a thousand requests of the engine to the API server. */
const API_FAULTS = 40;

interface Loop {
  /** Milliseconds between two deeds, at least and at most. */
  readonly pause: readonly [number, number];
  readonly act: Deed;
  /** That act at the same time; default 1. */
  readonly hands?: number;
}

/** All at once, for so long; then everything is as it should be again. */
export async function unleash(monkey: Monkey, ground: Ground, { ms, tally }: { ms: number; tally: Tally }) {
  const resting = new AbortController();
  const loops = Object.entries(loopsOf(monkey, ground)).flatMap(([name, { pause, act, hands = 1 }]) =>
    Array.from({ length: hands }, (_, hand) => {
      const counted: Deed = async (own) => {
        const fault = await act(own).catch(unlessTrouble);
        tally.add(fault);
        return fault;
      };
      return repeatedly(resting.signal, pause, counted, monkey.chance.fork(`${name} ${hand}`));
    }),
  );
  ground.api.faultsPerMille = API_FAULTS;
  await Promise.race([delay(ms), Promise.all(loops)]);
  resting.abort();
  mendNetwork(ground);
  await Promise.all(loops);
  await mend(monkey, ground);
}

function loopsOf(monkey: Monkey, { stage, network, engines }: Ground): Readonly<Record<string, Loop>> {
  return {
    // Many hands with long pauses do as much on a machine where everything takes its time as on a quick one.
    pods: { pause: [300, 1_200], act: (own) => troublePods(monkey, own), hands: 8 },
    politely: { pause: [500, 2_500], act: (own) => endPolitely(monkey, own), hands: 4 },
    nodes: { pause: [4_000, 10_000], act: (own) => troubleNodes(monkey, own) },
    drains: { pause: [6_000, 15_000], act: (own) => drainNode(monkey, own) },
    quota: { pause: [8_000, 20_000], act: (own) => fillQuota(monkey, own) },
    engines: { pause: [12_000, 30_000], act: (own) => troubleEngine(monkey, engines, own) },
    servers: { pause: [10_000, 30_000], act: (own) => troubleServer(monkey, stage.sandbox.dir, own) },
    // A process has few connections to Temporal: what happens too often to them lets it do nothing at all.
    connections: { pause: [300, 1_500], act: (own) => troubleConnection(monkey, network, own), hands: 3 },
    partitions: { pause: [5_000, 20_000], act: (own) => partition(monkey, network, own) },
    words: { pause: [1_000, 4_000], act: (own) => repeatOldWords(monkey, own) },
    people: { pause: [300, 1_500], act: (own) => intervene(monkey, own), hands: 8 },
    amendments: { pause: [500, 2_500], act: (own) => changePolicy(monkey, own) },
  };
}

function mendNetwork({ api, network }: Ground): void {
  api.faultsPerMille = 0;
  for (const proxy of Object.values(network)) proxy.heal();
}

async function mend({ nodes, note }: Monkey, ground: Ground): Promise<void> {
  const { stage, engines } = ground;
  // Once more: some trouble was under way.
  mendNetwork(ground);
  await untilServersReady(stage.sandbox.dir);
  await untilDone(() => nodes.bringAllBack());
  await Promise.all(Object.values(engines).map((engine) => engine.start()));
  note('the monkey rests');
}
