import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_MAPS, NODES, POD_GROUPS, PODS } from '../../contracts/kubernetes.ts';
import type { ChaosRun, Fault } from '../scenarios/chaos-faults.ts';
import { STREAM_FAULTS, type StreamFault, type StreamFaults } from './stream-faults.ts';

/** Streams that a watcher reads, as people call them. */
const STREAMS = { pods: PODS, anchors: CONFIG_MAPS, nodes: NODES, groups: POD_GROUPS } as const;

const FAULTS = Object.keys(STREAM_FAULTS) as StreamFault[];

/** Each stream fails in each way. */
const ALL = Object.keys(STREAMS).flatMap((stream) =>
  FAULTS.map((fault) => ({ stream: stream as keyof typeof STREAMS, fault })),
);

const tallied = ({ stream, fault }: (typeof ALL)[number]) => `stream: ${stream} ${STREAM_FAULTS[fault]}`;

export const BLINDNESSES: readonly string[] = ALL.map(tallied);

const BLIND_MS = [8_000, 22_000] as const;
const LISTS_TAKE_MS = [1_000, 8_000] as const;

/** One stream of the watchers after the other fails alone, until each has failed in each way; then again. */
export function blindStreams({ note, chance }: ChaosRun, streams: StreamFaults): Fault {
  let turn = chance.fork('first blindness').between(0, ALL.length - 1);
  return async (own) => {
    // A step that has no divisor in common with the number of pairs: neighbours have other streams and other faults.
    turn = (turn + 5) % ALL.length;
    const { stream, fault } = ALL[turn]!;
    const blindMs = own.between(...BLIND_MS);
    const listsTakeMs = own.between(...LISTS_TAKE_MS);
    note(`the watchers’ stream of ${stream} ${STREAM_FAULTS[fault]}, for ${blindMs} ms`);
    streams.begin({ resource: STREAMS[stream].plural, fault, listsTakeMs });
    await delay(blindMs);
    return streams.end() > 0 ? tallied({ stream, fault }) : undefined;
  };
}
