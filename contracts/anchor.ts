import { type CleanUpScope, parseCleanUpScope } from './clean-up.ts';
import { formatHostListRule, parseHostListRule } from './host-list.ts';
import { ANNOTATIONS } from './labels.ts';
import type { HostListRule } from './training-job.ts';
import { asId } from './workflow-id.ts';

/** What an anchor's annotations say. Everybody with access to the namespace can write them. */
export interface AnchorRecord {
  readonly workflowId: string;
  /** The first run of the workflow. */
  readonly firstRunId: string;
  /** The cluster that the anchor was created in. */
  readonly clusterId: string;
  readonly kind: { readonly apiVersion: string; readonly kind: string };
  /** The last recorded phase. */
  readonly phase: string;
  /** How often the phase was recorded: 1 on a new anchor. */
  readonly record: number;
  /** The gang scheduler that was chosen. */
  readonly gang: string;
  /** The container whose exit code counts, by role in lower case. */
  readonly mainContainers: Readonly<Record<string, string>>;
  /** The pod whose log is the job's log. */
  readonly mainPod: string;
  readonly hostList: HostListRule;
  /** At how many active pods (ready or succeeded) the workflow decides something, in ascending order. */
  readonly milestones: readonly number[];
  /** The pod whose success is that of the job. */
  readonly decidingPod: string;
  /** The roles in lower case whose pods have a Service of their name each. */
  readonly services: readonly string[];
  /** The job has its outcome, and its clean-up has begun. */
  readonly isEnding: boolean;
  /** Hash of the last digest that the workflow received (`Digest.hash`); empty once it has received another one. */
  readonly digestHash: string;
  /** When the remains of an ended job expire, in epoch milliseconds. */
  readonly expiresAt: number;
  /** Which pods of an ended job were deleted. */
  readonly cleanUp: CleanUpScope;
  /** Pods were deleted whose program had ended and whose other containers ran on. */
  readonly removedOutlived: boolean;
  /** When the workflow last asked the watcher, in epoch milliseconds. */
  readonly questionAt: number;
}

/** Formats a record, or a part of it, as annotations. */
export function formatAnchorRecord(record: Partial<AnchorRecord>): Readonly<Record<string, string>> {
  const { kind, mainContainers, hostList, milestones, expiresAt, questionAt } = record;
  const annotations = {
    [ANNOTATIONS.workflowId]: record.workflowId,
    [ANNOTATIONS.firstRunId]: record.firstRunId,
    [ANNOTATIONS.clusterId]: record.clusterId,
    [ANNOTATIONS.kind]: kind && `${kind.apiVersion} ${kind.kind}`,
    [ANNOTATIONS.phase]: record.phase,
    [ANNOTATIONS.record]: record.record?.toString(),
    [ANNOTATIONS.gang]: record.gang,
    [ANNOTATIONS.mainContainer]: mainContainers && formatPairs(mainContainers),
    [ANNOTATIONS.mainPod]: record.mainPod,
    [ANNOTATIONS.hostList]: hostList && formatHostListRule(hostList),
    [ANNOTATIONS.milestones]: milestones?.join(','),
    [ANNOTATIONS.decidingPod]: record.decidingPod,
    [ANNOTATIONS.services]: record.services?.join(','),
    [ANNOTATIONS.ending]: record.isEnding === undefined ? undefined : String(record.isEnding),
    [ANNOTATIONS.digest]: record.digestHash,
    [ANNOTATIONS.expiresAt]: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    [ANNOTATIONS.cleanUp]: record.cleanUp,
    [ANNOTATIONS.removedOutlived]: record.removedOutlived ? 'true' : undefined,
    [ANNOTATIONS.asked]: questionAt === undefined ? undefined : String(questionAt),
  };
  const given = Object.entries(annotations).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}

/** Returns what the annotations of an anchor say, without what is missing or makes no sense. */
export function parseAnchorRecord(all: Readonly<Record<string, string>> = {}): Partial<AnchorRecord> {
  const annotations = withoutLong(all);
  return {
    workflowId: asId(annotations[ANNOTATIONS.workflowId]),
    firstRunId: asId(annotations[ANNOTATIONS.firstRunId]),
    clusterId: annotations[ANNOTATIONS.clusterId],
    kind: parseKind(annotations[ANNOTATIONS.kind]),
    phase: annotations[ANNOTATIONS.phase],
    record: parsePositive(annotations[ANNOTATIONS.record]),
    gang: annotations[ANNOTATIONS.gang],
    mainContainers: parsePairs(annotations[ANNOTATIONS.mainContainer]),
    mainPod: annotations[ANNOTATIONS.mainPod],
    hostList: parseHostListRule(annotations[ANNOTATIONS.hostList]),
    milestones: parseNumbers(annotations[ANNOTATIONS.milestones]),
    decidingPod: annotations[ANNOTATIONS.decidingPod],
    services: annotations[ANNOTATIONS.services]?.split(',').filter(Boolean),
    isEnding: annotations[ANNOTATIONS.ending] === 'true' || undefined,
    digestHash: annotations[ANNOTATIONS.digest],
    expiresAt: Date.parse(annotations[ANNOTATIONS.expiresAt] ?? '') || undefined,
    cleanUp: parseCleanUpScope(annotations[ANNOTATIONS.cleanUp]),
    removedOutlived: annotations[ANNOTATIONS.removedOutlived] === 'true' || undefined,
    questionAt: parsePositive(annotations[ANNOTATIONS.asked]),
  };
}

/** The longest texts that signalbox writes are lists of roles. Those of others may have 256 KiB, which would cost time. */
const LONGEST = 4_096;

const withoutLong = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).filter(([, text]) => text.length <= LONGEST));

/** `kubeflow.org/v1 PyTorchJob` */
function parseKind(text: string | undefined): AnchorRecord['kind'] | undefined {
  const [apiVersion, kind] = text?.split(' ') ?? [];
  return apiVersion && kind ? { apiVersion, kind } : undefined;
}

/** `master=pytorch,worker=pytorch` */
const formatPairs = (pairs: Readonly<Record<string, string>>) =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join(',');

const parsePairs = (text: string | undefined): Readonly<Record<string, string>> | undefined =>
  text === undefined
    ? undefined
    : Object.fromEntries(
        text
          .split(',')
          .map((pair) => pair.split('='))
          .filter(({ length }) => length === 2),
      );

function parsePositive(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function parseNumbers(text: string | undefined): readonly number[] | undefined {
  const numbers = text?.split(',').map(Number);
  return numbers?.every((number) => Number.isInteger(number) && number > 0) ? numbers : undefined;
}
