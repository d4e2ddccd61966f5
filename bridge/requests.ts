import { askJobOfResource } from '../client/use-cases/apply/ask-job.ts';
import { findJobOfResource } from '../client/use-cases/submit/job-of-resource.ts';
import { unlessGoneOrReplaced } from '../cluster/errors.ts';
import type { ReflectorHandlers } from '../cluster/reflector.ts';
import { EVENTS, type KubeObject } from '../contracts/kubernetes.ts';
import type { ServedNamespaces } from '../contracts/served-namespaces.ts';
import { ANSWER_MS } from '../contracts/timing.ts';
import { FRAMEWORKS } from '../frameworks/kinds/registry.ts';
import type { RequestObjects, RequestOfObject } from '../frameworks/model/resource-customs.ts';
import { pause } from '../language/timers.ts';
import { followNamespaces } from '../leader/follow-namespaces.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import { eventOf, type Notice } from './events.ts';
import type { ResourceFacts } from './resource-facts.ts';
import type { ResourceStore } from './resource-store.ts';
import { now, warning } from './warnings.ts';
import { WorkQueue, type WorkResult } from './work-queue.ts';

/** The kinds of objects that ask something of jobs. */
export const KINDS_OF_REQUESTS: readonly RequestObjects[] = FRAMEWORKS.flatMap(
  ({ resource }) => resource?.requests ?? [],
);

interface RequestTools extends LeaderTools {
  readonly namespaces?: ServedNamespaces;
  readonly store: ResourceStore;
}

/** What the bridge keeps of an object. `asked`: absent if it asks nothing of a job. */
interface Asking {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly asked: RequestOfObject | undefined;
}

const SERVED_MS = 3_000;
const MOST = 8;
const PAGE = 100;

/** Asks jobs for what objects of a kind say, and deletes these. One whose job is not there yet is looked at again. */
export async function followRequests(
  requests: RequestObjects,
  tools: RequestTools,
  signal: AbortSignal,
): Promise<void> {
  const { resource } = requests;
  while (!(await tools.cluster.serves(resource).catch(() => false))) {
    if (signal.aborted) return;
    await pause(SERVED_MS, signal);
  }
  const known = new Map<string, Asking>();
  const work = async (uid: string): Promise<WorkResult> => {
    const asking = known.get(uid);
    return asking?.asked ? passOn({ ...asking, asked: asking.asked }, requests, tools) : 'done';
  };
  const queue = new WorkQueue(work, { most: MOST, signal });
  const trim = (object: KubeObject): Asking => {
    const { uid = '', namespace = '', name } = object.metadata;
    return { uid, namespace, name, asked: requests.read(object) };
  };
  const handlersIn = (served?: string) => handlersOf(known, queue, served);
  const { namespaces } = tools;
  await followNamespaces({ ...tools, namespaces }, { resource, pageSize: PAGE, trim, handlersIn }, signal);
}

function handlersOf(
  known: Map<string, Asking>,
  queue: WorkQueue,
  served: string | undefined,
): ReflectorHandlers<Asking> {
  const changed = (one: Asking) => {
    known.set(one.uid, one);
    queue.add(one.uid);
  };
  return {
    replaced: (listed) => {
      for (const { uid, namespace } of [...known.values()])
        if (served === undefined || namespace === served) known.delete(uid);
      for (const one of listed) changed(one);
    },
    changed,
    deleted: ({ uid }) => known.delete(uid),
  };
}

type Asked = Asking & { readonly asked: RequestOfObject };

async function passOn(asking: Asked, requests: RequestObjects, tools: RequestTools): Promise<WorkResult> {
  const { temporal, cluster, store, log } = tools;
  const { uid, namespace, name, asked } = asking;
  const job = store.resource(asked.uid);
  if (job?.namespace !== namespace) return 'later';
  try {
    const ask = () => answerTo(asking, job, tools);
    const answer = await temporal.withDeadline(Date.now() + ANSWER_MS, ask);
    if (answer === 'later') return answer;
    log.info({ kind: requests.resource.kind, namespace, name, answer }, 'a request was passed on');
    await cluster.create(EVENTS, eventOf(job, noticeOf(asking, answer))).catch(() => undefined);
    await cluster.delete(requests.resource, namespace, name, { uid }).catch(unlessGoneOrReplaced);
    return 'done';
  } catch (error) {
    log.warn({ err: error, namespace, name }, 'a request could not be passed on; retrying');
    return 'later';
  }
}

type Answer = 'taken' | 'later' | { readonly refused: string };

/** The uid of the object names the request: asked twice, it is done once. */
async function answerTo(asking: Asked, resource: ResourceFacts, { temporal }: RequestTools): Promise<Answer> {
  const { uid: updateId, asked } = asking;
  if (!asked.request) return { refused: asked.instead ?? 'signalbox does not do that' };
  const job = await findJobOfResource(temporal, resource);
  if (job.is === 'closed') return { refused: 'the job has ended' };
  // Not started yet, or another operator runs it.
  if (job.is !== 'open') return 'later';
  const { namespace, name } = resource;
  const why = `${asking.name}: ${asked.action}`;
  const given = { namespace, name, runId: job.runId, request: asked.request, updateId, why };
  const refused = await askJobOfResource(temporal, given);
  return refused === undefined ? 'taken' : { refused };
}

function noticeOf({ uid, name, asked }: Asked, answer: Exclude<Answer, 'later'>): Notice {
  if (answer !== 'taken')
    return warning('CommandNotTaken', `${name}: ${asked.action}: ${answer.refused}`, uid);
  const message = `Start to execute command ${asked.action}: ${asked.request} the job`;
  return { type: 'Normal', reason: 'CommandIssued', message, at: now(), once: uid };
}
