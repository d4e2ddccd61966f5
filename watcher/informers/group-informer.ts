import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { isNotFound } from '../../cluster/errors.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import type { Home } from '../../contracts/home.ts';
import { type KubeObject, streamOf } from '../../contracts/kubernetes.ts';
import { BackOff } from '../../language/back-off.ts';
import { errorMessage } from '../../language/error-message.ts';
import { pause } from '../../language/timers.ts';
import type { Readiness } from '../../leader/readiness.ts';
import type { GroupAdapter } from '../groups/group-adapters.ts';
import type { JobStore } from '../store/job-store.ts';
import { madeBy } from './made-by.ts';

interface GroupInformerOptions {
  readonly cluster: Pick<ClusterClient, 'serves' | 'list' | 'watch'>;
  readonly home: Home;
  readonly namespace?: string;
  readonly readiness: Readiness;
  readonly log: Logger;
}

interface GroupReader {
  readonly gang: GroupAdapter;
  readonly jobs: Pick<JobStore, 'groupsOf' | 'forgetGroupsOf'>;
  /** Called when the groups were listed, are not served, or cannot be listed now. */
  readonly onListed: () => void;
}

/** Failures in a row (about three seconds) after which the watcher starts without the groups. */
const TRIES = 5;
/**
 * Pauses between checks whether groups are served. A starting API server may deny it for a moment. A scheduler that is
 * installed later is found within the longest pause.
 */
const PAUSE = { firstMs: 1_000, mostMs: 300_000 };

/**
 * Follows the groups of one scheduler until the signal aborts. Never blocks the jobs of other schedulers for long,
 * whether the API is served, is removed, returns, or cannot be read.
 */
export async function followGroups(
  tools: GroupInformerOptions,
  reader: GroupReader,
  leadership: AbortSignal,
): Promise<void> {
  const patience = new FailureLimit(tools, reader);
  const backOff = new BackOff(PAUSE);
  while (!leadership.aborted) {
    if (await isServed(tools, reader, patience)) {
      const wasListed = await followUntilGone(tools, reader, { leadership, patience });
      if (leadership.aborted) return;
      reader.jobs.forgetGroupsOf(reader.gang, tools.namespace);
      if (wasListed) backOff.reset();
    }
    await pause(backOff.next(), leadership);
  }
}

/** Whether the groups are served; undefined if that cannot be determined now. */
async function isServed(
  { cluster }: GroupInformerOptions,
  { gang, onListed }: GroupReader,
  patience: FailureLimit,
): Promise<boolean | undefined> {
  try {
    const served = await cluster.serves(gang.resource);
    if (!served) {
      patience.succeeded();
      onListed();
    }
    return served;
  } catch (error) {
    patience.failed(error);
    return undefined;
  }
}

/** Returns when the API is gone; true if its groups were listed before. */
async function followUntilGone(
  { cluster, home, namespace, readiness, log }: GroupInformerOptions,
  { gang, jobs, onListed }: GroupReader,
  { leadership, patience }: { readonly leadership: AbortSignal; readonly patience: FailureLimit },
): Promise<boolean> {
  const gone = new AbortController();
  const handlers = jobs.groupsOf(gang, namespace);
  let wasListed = false;
  const wrapped: ReflectorHandlers<KubeObject> = {
    ...handlers,
    replaced: (groups, resourceVersion) => {
      log.debug(
        { resource: nameOfStream(namespace, gang), objects: groups.length, resourceVersion },
        'listed',
      );
      handlers.replaced(groups, resourceVersion);
      wasListed = true;
      patience.succeeded();
      onListed();
    },
    interrupted: (error) => {
      if (isNotFound(error)) gone.abort();
      else patience.failed(error);
    },
  };
  const selection = { namespace, labelSelector: madeBy(home) };
  const stream = nameOfStream(namespace, gang);
  // The leadership may have ended during the check whether the groups are served.
  const signal = AbortSignal.any([leadership, gone.signal]);
  const client = readiness.streams.clientFor(stream, cluster);
  await reflect(client, { resource: gang.resource, selection }, wrapped, signal);
  readiness.streams.forget(stream);
  return wasListed;
}

/** Counts failures in a row. After too many, the watcher runs without the groups and reports that. */
class FailureLimit {
  readonly #tools: GroupInformerOptions;
  readonly #reader: GroupReader;
  #failures = 0;

  constructor(tools: GroupInformerOptions, reader: GroupReader) {
    this.#tools = tools;
    this.#reader = reader;
  }

  failed(error: unknown): void {
    const { namespace, readiness, log } = this.#tools;
    const { gang, onListed } = this.#reader;
    const resource = nameOfStream(namespace, gang);
    this.#failures++;
    log.debug({ err: error, resource }, 'groups cannot be read now; retrying');
    if (this.#failures < TRIES) return;
    const why = errorMessage(error);
    readiness.impair(resource, `${why}; its jobs get no information about their groups`);
    if (this.#failures === TRIES) {
      log.warn({ err: error, resource }, 'groups cannot be read: continuing without them');
    }
    onListed();
  }

  succeeded(): void {
    this.#failures = 0;
    const { namespace, readiness } = this.#tools;
    readiness.impair(nameOfStream(namespace, this.#reader.gang), undefined);
  }
}

const nameOfStream = (namespace: string | undefined, { resource }: GroupAdapter) =>
  streamOf(resource, namespace);
