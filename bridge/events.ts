import { createHash } from 'node:crypto';
import { EVENTS, type KubeObject } from '../contracts/kubernetes.ts';
import { isFinal } from '../contracts/status.ts';
import type { EvidenceSummary, TimelineEntry } from '../contracts/types.ts';
import { shortenToBytes } from '../language/shorten.ts';
import type { ShownStatus } from './anchored-job.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** What `kubectl describe` shows of a resource. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly at: string;
  /** What makes it another notice than one of the same words; default: its time. */
  readonly once?: string;
}

/**
 * Returns what happened to a job since its resource was last written: each state that it entered, and each failed pod.
 * `since`: what the resource says of when its state began; all if it says nothing.
 */
export function noticesOf(
  { timeline = [], evidence = [] }: ShownStatus,
  since: string | undefined,
): readonly Notice[] {
  const from = Date.parse(since ?? '') || 0;
  const notices = [...evidence.map(ofFailure), ...timeline.map(ofState)];
  return notices
    .map((notice) => ({ notice, at: Date.parse(notice.at) }))
    .filter(({ at }) => at >= from)
    .sort((one, other) => one.at - other.at)
    .map(({ notice }) => notice);
}

function ofState({ at, phase, state, attempt, cause }: TimelineEntry): Notice {
  const isBad = phase === 'Failed' || phase === 'Restarting';
  const message = attempt > 1 && !isFinal(phase) ? `attempt ${attempt}: ${cause}` : cause;
  return { type: isBad ? 'Warning' : 'Normal', reason: state.split('.').at(-1)!, message, at };
}

function ofFailure({ pod, node, container, exitCode, reason, message, takenAt }: EvidenceSummary): Notice {
  const where = `${pod}${node ? ` on ${node}` : ''}`;
  const how = exitCode === undefined ? 'failed' : `exited with ${exitCode}`;
  const why = [reason, message].filter(Boolean).join(': ');
  const who = container ? `container ${container} ` : '';
  const text = `${where}: ${who}${how}${why && ` (${why})`}`;
  return { type: 'Warning', reason: 'PodFailed', message: text, at: takenAt };
}

/** Kubernetes' limit. */
const LONGEST = 1_024;

/** Returns the event of a notice. Its name follows from it, so that the same is never written twice. */
export function eventOf(resource: ResourceFacts, notice: Notice): KubeObject {
  const { apiVersion, kind, namespace, name, uid, resourceVersion } = resource;
  const { type, reason, at, once = at } = notice;
  const message = shortenToBytes(notice.message, LONGEST);
  const key = createHash('sha256').update(JSON.stringify([uid, type, reason, message, once]));
  const suffix = `.${key.digest('hex').slice(0, 16)}`;
  return {
    apiVersion: EVENTS.apiVersion,
    kind: EVENTS.kind,
    metadata: { name: `${nameWithin(LONGEST_NAME - suffix.length, name)}${suffix}`, namespace },
    involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
    ...{ type, reason, message },
    source: { component: REPORTER },
    reportingComponent: REPORTER,
    reportingInstance: REPORTER,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}

/** Kubernetes' limit, which the resource's own name may reach. */
const LONGEST_NAME = 253;

/** A cut name must not end with a dot or a dash. */
const nameWithin = (length: number, name: string) => name.slice(0, length).replace(/[.-]+$/, '');

const REPORTER = 'signalbox';
