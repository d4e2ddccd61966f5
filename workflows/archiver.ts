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
} from '../contracts/archiver.ts';
import { isFields } from '../contracts/fields.ts';

const { archiveClosed, archiveAsked } = proxyActivities<ArchiverActivities>({
  startToCloseTimeout: '24h',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** What a run of the archiver passes to the next one. */
export interface ArchiverState {
  readonly beat?: ArchiverBeat;
  readonly requests?: readonly AskedRequest[];
}

type AskedRequest = ArchiveProgress & { readonly request: ArchiveRequest };

/** Requests that are remembered. */
const LATEST = 10;
/** The history of one run stays below a thousand events. */
const MOST_EVENTS = 900;

/**
 * Archives jobs as they end, for ever: one activity after the other looks for them, and says how far it came. Requests
 * are done beside that, one by one. Jobs do not know of it.
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
      asked = [...asked, { number, request, state: 'waiting' as const, archived: 0, known: 0, failed: [] }];
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

function checkRequest(request: unknown): void {
  if (!isFields(request)) throw new TypeError(`expected a request, got ${JSON.stringify(request)}`);
  const { workflowIds, since, all } = request;
  const areIds = Array.isArray(workflowIds) && workflowIds.every((id) => typeof id === 'string' && id !== '');
  if (areIds || all === true || (typeof since === 'string' && !Number.isNaN(Date.parse(since)))) return;
  throw new TypeError(
    `expected {"workflowIds": [...]}, {"since": "2026-11-23T08:00:00Z"} or {"all": true}, got ${JSON.stringify(request)}`,
  );
}
