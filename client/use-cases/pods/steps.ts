import type { ClusterClient } from '../../../cluster/client.ts';
import type { LogLine } from '../../../cluster/log-lines.ts';
import { readTail } from '../../../cluster/read-tail.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { indexOf, isReplica } from '../../../contracts/pod.ts';
import type { JobSteps } from '../../../contracts/types.ts';
import { RANK_VARIABLES } from '../../../frameworks/model/rank-variables.ts';
import { stepsOfLog } from '../../../progress/steps-of-log.ts';
import { remedyOfUnknownSteps } from '../../../progress/unknown-steps.ts';
import type { JobName } from '../../servers/job-name.ts';
import { containerOf, startedContainer } from './pod-selection.ts';
import type { LogAnchor } from './read-anchor.ts';

interface StepsQuestion {
  readonly job: JobName;
  readonly anchor: LogAnchor;
  readonly signal: AbortSignal;
  readonly tailLines: number;
  /** Whether further pods may be read. */
  readonly isAlone: boolean;
}

interface ReadPod {
  readonly pod: string;
  readonly lines: readonly LogLine[];
}

/** Returns what the log of the main pod tells of steps; where that tells none, what the last pod's does. */
export async function findSteps(
  cluster: ClusterClient,
  question: StepsQuestion,
  main: ReadPod,
): Promise<JobSteps | undefined> {
  const told = stepsIn(main, cluster.now());
  if (told || !question.isAlone) return told;
  // Who may not list pods still hears of the main one.
  const pods = await podsOf(cluster, question.job).catch(() => []);
  const last = pods.at(-1);
  if (last && last.metadata.name !== main.pod) {
    const lines = await readTail(cluster, tailOf(last, question), question.tailLines);
    const toldByLast = stepsIn({ pod: last.metadata.name, lines }, cluster.now());
    if (toldByLast) return toldByLast;
  }
  const pod = pods.find(({ metadata }) => metadata.name === main.pod);
  return pod && unknownSteps(pod, { ...question, lines: main.lines, now: cluster.now() });
}

function stepsIn({ pod, lines }: ReadPod, now: number): JobSteps | undefined {
  const steps = stepsOfLog(lines, now);
  return steps && { pod, ...steps };
}

/** A program may load and compile for a while before its first step. */
const START_MS = 600_000;

function unknownSteps(
  pod: Pod,
  { anchor, lines, now }: StepsQuestion & { readonly lines: readonly LogLine[]; readonly now: number },
): JobSteps | undefined {
  const startedAt = Date.parse(startedContainer(pod, undefined, anchor)?.state?.running?.startedAt ?? '');
  if (!(now - startedAt > START_MS)) return undefined;
  const name = containerOf(pod, undefined, anchor);
  const { env = [], command = [], args = [] } = pod.spec.containers.find((one) => one.name === name) ?? {};
  const remedy = remedyOfUnknownSteps({
    texts: [...command, ...args, ...lines.map(({ text }) => text)],
    isUnbuffered: env.some((one) => one.name === 'PYTHONUNBUFFERED'),
  });
  return { pod: pod.metadata.name, sentence: `unknown, as its log shows none; ${remedy}` };
}

/** By rank: some programs tell their steps on the last one. */
async function podsOf(cluster: ClusterClient, { namespace, name }: JobName): Promise<readonly Pod[]> {
  const selection = { namespace, labelSelector: `${LABELS.job}=${name},!${LABELS.spare}` };
  const { items } = await cluster.list(PODS, selection);
  return items.filter(isReplica).toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf(pod: Pod): number {
  const variables = pod.spec.containers.flatMap(({ env = [] }) => env);
  const rank = Number(variables.find(({ name }) => RANK_VARIABLES.has(name))?.value);
  return Number.isInteger(rank) ? rank : indexOf(pod);
}

function tailOf(pod: Pod, { anchor, signal }: StepsQuestion) {
  const { name, namespace } = pod.metadata;
  return { namespace: namespace!, pod: name, container: containerOf(pod, undefined, anchor), signal };
}
