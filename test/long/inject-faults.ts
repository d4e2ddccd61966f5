import { setTimeout as delay } from 'node:timers/promises';
import { repeatOldDigests } from '../scenarios/chaos-digests.ts';
import { troubleEngine } from '../scenarios/chaos-engine.ts';
import {
  type ChaosRun,
  type Fault,
  intervene,
  repeatedly,
  troubleNodes,
  troublePods,
} from '../scenarios/chaos-faults.ts';
import { blindStreams } from './blind-streams.ts';
import { forgeAnchor } from './forged-anchors.ts';
import { partition, troubleConnection } from './network.ts';
import { changePolicy } from './people.ts';
import { drainNode, endPolitely, touchLeaving } from './pods.ts';
import { fillQuota } from './quota.ts';
import { troubleServer, untilServersReady } from './servers.ts';
import { editAsStranger } from './strangers.ts';
import type { Tally } from './tally.ts';
import type { TestEnvironment } from './test-environment.ts';
import { unlessTrouble, untilDone } from './until-done.ts';

/** Of a thousand requests of the engine to the API server. */
const API_FAULTS = 40;

interface FaultLoop {
  /** Minimum and maximum milliseconds between two faults. */
  readonly pause: readonly [number, number];
  readonly act: Fault;
  /** That act at the same time; default 1. */
  readonly hands?: number;
}

/** All at once, for so long; then everything is as it should be again. */
export async function injectFaults(
  chaos: ChaosRun,
  environment: TestEnvironment,
  { ms, tally }: { ms: number; tally: Tally },
) {
  const resting = new AbortController();
  const loops = Object.entries(loopsOf(chaos, environment)).flatMap(([name, { pause, act, hands = 1 }]) =>
    Array.from({ length: hands }, (_, control) => {
      const counted: Fault = async (own) => {
        const fault = await act(own).catch(unlessTrouble);
        tally.add(fault);
        return fault;
      };
      return repeatedly(resting.signal, pause, counted, chaos.chance.fork(`${name} ${control}`));
    }),
  );
  for (const api of Object.values(environment.apis)) api.faultsPerMille = API_FAULTS;
  await Promise.race([delay(ms), Promise.all(loops)]);
  resting.abort();
  repairNetwork(environment);
  await Promise.all(loops);
  await repair(chaos, environment);
}

function loopsOf(
  chaos: ChaosRun,
  { stage, network, engines, apis, neighbours }: TestEnvironment,
): Readonly<Record<string, FaultLoop>> {
  return {
    // Many hands with long pauses do as much on a machine where everything takes its time as on a quick one.
    pods: { pause: [300, 1_200], act: (own) => troublePods(chaos, own), hands: 8 },
    politely: { pause: [500, 2_500], act: (own) => endPolitely(chaos, own), hands: 4 },
    nodes: { pause: [4_000, 10_000], act: (own) => troubleNodes(chaos, own) },
    drains: { pause: [6_000, 15_000], act: (own) => drainNode(chaos, own) },
    quota: { pause: [8_000, 20_000], act: (own) => fillQuota(chaos, own) },
    engines: { pause: [12_000, 30_000], act: (own) => troubleEngine(chaos, engines, own) },
    servers: { pause: [10_000, 30_000], act: (own) => troubleServer(chaos, stage.sandbox.dir, own) },
    // A process has few connections to Temporal: what happens too often to them lets it do nothing at all.
    connections: { pause: [300, 1_500], act: (own) => troubleConnection(chaos, network, own), hands: 3 },
    partitions: { pause: [5_000, 20_000], act: (own) => partition(chaos, network, own) },
    blindness: { pause: [500, 3_000], act: blindStreams(chaos, apis.watcher.streams) },
    strangers: { pause: [200, 1_500], act: (own) => editAsStranger(chaos, own), hands: 2 },
    forgeries: { pause: [2_000, 8_000], act: (own) => forgeAnchor(chaos, own) },
    neighbours: { pause: [1_000, 5_000], act: neighbours.copy(chaos) },
    words: { pause: [1_000, 4_000], act: (own) => repeatOldDigests(chaos, own) },
    people: { pause: [300, 1_500], act: (own) => intervene(chaos, own), hands: 8 },
    amendments: { pause: [500, 2_500], act: (own) => changePolicy(chaos, own) },
  };
}

function repairNetwork({ apis, network }: TestEnvironment): void {
  for (const api of Object.values(apis)) api.faultsPerMille = 0;
  for (const proxy of Object.values(network)) proxy.heal();
}

async function repair({ nodes, note, control }: ChaosRun, environment: TestEnvironment): Promise<void> {
  const { stage, engines } = environment;
  // Once more: some trouble was under way.
  repairNetwork(environment);
  await untilServersReady(stage.sandbox.dir);
  await untilDone(() => nodes.bringAllBack());
  await untilDone(() => touchLeaving(control));
  await Promise.all(Object.values(engines).map((engine) => engine.start()));
  note('no more faults are injected');
}
