import { type Fields, isFields } from '../language/fields.ts';
import { PHASES } from './status.ts';
import type { JobStatus } from './types.ts';

/**
 * Returns the status that an anchor records, without what makes no sense. Everybody with access to the namespace can
 * write it, and a damaged record must not block the record of the job's end.
 */
export function parseRecordedStatus(text: string | undefined): Partial<JobStatus> {
  const recorded = parseFields(text ?? '{}');
  const valid = Object.entries(CHECKS).filter(([field, makesSense]) => makesSense(recorded[field]));
  return Object.fromEntries(valid.map(([field]) => [field, recorded[field]])) as Partial<JobStatus>;
}

function parseFields(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isPhase: Check = (value) => PHASES.some((phase) => phase === value);

/** Whether a value is a mapping that has at least these fields. */
const has =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, makesSense]) => makesSense(value[name]));

const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

const mapOf =
  (isItem: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(isItem);

/** The type demands a check of every field. */
const CHECKS: Readonly<Record<keyof JobStatus, Check>> = {
  kind: isText,
  name: isText,
  namespace: isText,
  phase: isPhase,
  state: isText,
  since: isText,
  attempt: isCount,
  restarts: isCount,
  cause: has({ reason: isText, message: isText }),
  conditions: listOf(has({ type: isText, status: isText })),
  replicaStatuses: mapOf(isFields),
  terminated: mapOf(isCount),
  countedAt: isText,
  replicaCounts: listOf(isText),
  mode: isText,
  startTime: isText,
  completionTime: isText,
  warnings: listOf(isText),
  progress: isText,
  evidence: listOf(has({ pod: isText, uid: isText, role: isText, index: isCount, attempt: isCount })),
  owner: isText,
  spares: has({ wanted: isCount, placed: isCount }),
  wanted: mapOf(isCount),
  restartsAllowed: isCount,
  budgets: mapOf(has({ used: isCount, allowed: isCount })),
  avoided: mapOf(isText),
  advice: has({ sentence: isText }),
  timeline: listOf(has({ at: isText, phase: isPhase, state: isText, attempt: isCount, cause: isText })),
};
