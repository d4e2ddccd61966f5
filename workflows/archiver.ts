import {
  ActivityCancellationType,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ArchiverActivities } from '../activities/archive/archiver-activities.ts';
import {
  ARCHIVE_UPDATE,
  ARCHIVER_QUERY,
  type ArchiveProgress,
  type ArchiveRequest,
  type ArchiverBeat,
  type ArchiverReport,
  type TimedRequest,
} from '../contracts/archiver.ts';
import { ARCHIVER_HEARTBEAT } from '../contracts/timing.ts';
import { isFields } from '../language/fields.ts';

const { archiveClosed, archiveAsked } = proxyActivities<ArchiverActivities>({
  startToCloseTimeout: '24h',
  heartbeatTimeout: ARCHIVER_HEARTBEAT.timeoutMs,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** What a run of the archiver passes to the next one. */
interface ArchiverState {
  readonly beat?: ArchiverBeat;
  readonly requests?: readonly AskedRequest[];
}

type AskedRequest = ArchiveProgress & { readonly request: TimedRequest };

/** Requests that are remembered. */
const LATEST = 10;
/** A century. */
const MOST_MS = 100 * 366 * 86_400_000;
/** The history of one run stays below a thousand events. */
const MOST_EVENTS = 900;

/**
 * Archives jobs as they end, without end: one activity after the other looks for them and returns its position. Requests
 * are handled concurrently, one by one. Jobs do not know of it.
 */
export async function archiver({ beat, requests = [] }: ArchiverState = {}): Promise<never> {
  let latest = beat;
  let asked = [...requests];
  const change = (number: number, to: Partial<ArchiveProgress>) => {
    asked = asked.map((one) => (one.number === number ? { ...one, ...to } : one));
  };
  const next = () => asked.find(({ state }) => state !== 'done');
  setHandler(defineQuery<ArchiverReport>(ARCHIVER_QUERY), () => ({
    requests: asked.map(({ request: _, ...progress }) => progress),
    beat: latest,
  }));
  setHandler(
    defineUpdate<number, [ArchiveRequest]>(ARCHIVE_UPDATE),
    (request) => {
      const number = (asked.at(-1)?.number ?? 0) + 1;
      const begun = { state: 'waiting' as const, archived: 0, known: 0, failed: [] };
      asked = [...asked, { number, request: timed(request), ...begun }];
      while (asked.length > LATEST && asked[0]?.state === 'done') asked = asked.slice(1);
      return number;
    },
    { validator: checkRequest },
  );
  const isTimeForNewRun = () =>
    workflowInfo().historyLength > MOST_EVENTS || workflowInfo().continueAsNewSuggested;
  let isLeaving = false;
  const answer = async () => {
    for (;;) {
      await condition(() => isLeaving || next() !== undefined);
      const one = next();
      if (isLeaving || !one) return;
      change(one.number, { state: 'running' });
      change(one.number, { ...(await archiveAsked(one.request, latest?.signed)), state: 'done' });
    }
  };
  const answering = answer();
  while (!isTimeForNewRun()) latest = await archiveClosed(latest);
  isLeaving = true;
  await answering;
  return continueAsNew<typeof archiver>({ beat: latest, requests: asked });
}

/** The clock of the client that asked may be wrong. */
const timed = (request: ArchiveRequest): TimedRequest =>
  'forMs' in request ? { since: new Date(Date.now() - request.forMs).toISOString() } : request;

function checkRequest(request: unknown): void {
  if (!isFields(request)) throw new TypeError(`expected a request, got ${JSON.stringify(request)}`);
  const { workflowIds, since, forMs, all } = request;
  const areIds = Array.isArray(workflowIds) && workflowIds.every((id) => typeof id === 'string' && id !== '');
  const isDuration = typeof forMs === 'number' && forMs > 0 && forMs <= MOST_MS;
  if (areIds || isDuration || all === true || (typeof since === 'string' && !Number.isNaN(Date.parse(since))))
    return;
  throw new TypeError(
    `expected {"workflowIds": [...]}, {"since": "2026-11-23T08:00:00Z"}, {"forMs": 3600000} or {"all": true}, got ${JSON.stringify(request)}`,
  );
}
