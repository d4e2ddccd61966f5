import type { ScheduleOptions } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../../../contracts/messages.ts';
import { scheduledManifest } from '../../../contracts/scheduled-job.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { searchableLabels, searchableText } from '../../../contracts/searchable.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import { InvalidScheduleError } from '../../errors/schedule-errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { validateManifest } from '../../manifests/offline/validate.ts';
import { startTexts } from '../../manifests/start-texts.ts';
import { TEMPORAL_OVERLAP } from './describe-schedule.ts';
import { locatedInSchedule, readSchedule } from './manifest-of-schedule.ts';
import type { ScheduleRequest } from './schedule-types.ts';

/** What a client adds to each schedule. */
export interface ScheduleDefaults {
  readonly namespace: string;
  readonly taskQueue: string;
  readonly submittedBy: string;
}

/** Any time: all names of the schedule's jobs are as long. */
const SOME_TIME = new Date(0);
const CATCH_UP_MS = 3_600_000;

/** Returns what Temporal is asked for. Throws on whatever would make each job of the schedule fail. */
export function scheduleOptions(
  given: object,
  asked: ScheduleRequest,
  defaults: ScheduleDefaults,
): ScheduleOptions & { readonly typedSearchAttributes?: never } {
  const { manifest: ofJobs, request } = readSchedule(given, asked);
  const { manifest, example } = locatedInSchedule(given, () => checkedJob(ofJobs, request, defaults));
  const { namespace } = example.metadata;
  const name = request.name ?? nameOfSchedule(manifest);
  const { submittedBy, taskQueue } = defaults;
  return {
    scheduleId: `${namespace}/${name}`,
    spec: specOfSchedule(request),
    action: {
      type: 'startWorkflow',
      workflowType: TRAINING_JOB,
      workflowId: workflowIdOf({ namespace, name }),
      taskQueue,
      args: [manifest],
      memo: { [MEMO.submittedBy]: submittedBy },
      ...startTexts({ ...example, metadata: { ...example.metadata, name } }, { submittedBy }),
    },
    policies: {
      overlap: TEMPORAL_OVERLAP[request.overlap ?? 'skip'],
      catchupWindow: request.catchUp ?? CATCH_UP_MS,
      pauseOnFailure: request.pauseOnFailure ?? false,
    },
    state: { paused: request.paused ?? false, note: request.note },
    memo: { kind: example.kind, [MEMO.submittedBy]: submittedBy },
  };
}

/** Search attributes of each job from its start on; the workflow sets its name. */
export const scheduledAttributes = (manifest: Manifest, submittedBy: string) => [
  { key: SEARCH_ATTRIBUTES.kind, value: manifest.kind },
  { key: SEARCH_ATTRIBUTES.namespace, value: manifest.metadata.namespace },
  { key: SEARCH_ATTRIBUTES.phase, value: 'Pending' },
  { key: SEARCH_ATTRIBUTES.attempt, value: 1 },
  { key: SEARCH_ATTRIBUTES.submittedBy, value: searchableText(submittedBy) },
  ...(searchableLabels(manifest).length > 0
    ? [{ key: SEARCH_ATTRIBUTES.labels, value: [...searchableLabels(manifest)] }]
    : []),
];

/** Checks the manifest as one of the schedule's jobs will have it: with a time in its name. */
function checkedJob(given: object, { labels, strict }: ScheduleRequest, { namespace }: ScheduleDefaults) {
  const validate = (manifest: Manifest) => validateManifest(manifest, { namespace, strict }).faults;
  const example = checkedManifest(scheduledManifest(given, SOME_TIME) as object, {
    namespace,
    labels,
    validate,
  });
  const { name, generateName } = (given as Manifest).metadata;
  const own = typeof generateName === 'string' ? { generateName } : { name };
  const { name: _, ...metadata } = example.metadata;
  return { example, manifest: { ...example, metadata: { ...metadata, ...own } } };
}

function nameOfSchedule({
  metadata,
}: {
  readonly metadata: { readonly name?: unknown; readonly generateName?: unknown };
}) {
  const name =
    typeof metadata.generateName === 'string' ? metadata.generateName.replace(/-$/, '') : metadata.name;
  if (typeof name === 'string') return name;
  throw new InvalidManifestError([{ path: 'metadata.name', expected: 'a name', got: 'nothing' }]);
}

function specOfSchedule(request: ScheduleRequest): ScheduleOptions['spec'] {
  const { cron = [], every, offset, timeZone, jitter, startAt, endAt } = request;
  if (cron.length === 0 && every === undefined) {
    throw new InvalidScheduleError(
      'Expected when jobs are due: a cron expression (--cron) or an interval (--every).',
    );
  }
  if (every !== undefined && every < 1_000) {
    throw new InvalidScheduleError(`every: expected at least 1000 milliseconds, got ${every}.`);
  }
  if (offset !== undefined && (every === undefined || offset >= every)) {
    throw new InvalidScheduleError('offset: expected less than `every`, which it shifts.');
  }
  if (timeZone !== undefined) checkTimeZone(timeZone);
  return {
    cronExpressions: cron.map((expression) =>
      expression.startsWith('@') ? expression : `${expression} # ${expression}`,
    ),
    ...(every === undefined ? {} : { intervals: [{ every, offset }] }),
    timezone: timeZone,
    jitter,
    startAt,
    endAt,
  };
}

function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    throw new InvalidScheduleError(
      `timeZone: expected an IANA name like Europe/Berlin, got ${JSON.stringify(timeZone)}.`,
      error,
    );
  }
}
