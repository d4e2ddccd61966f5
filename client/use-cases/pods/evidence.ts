import { evidenceRecord } from '../../../contracts/schemas/evidence-record.ts';
import type { EvidenceRecord, EvidenceSummary, JobStatus } from '../../../contracts/types.ts';
import { folderInKey, isPodsRecordKey, partsOfKey } from '../../../evidence/record-key.ts';
import type { EvidenceStore } from '../../../evidence/store.ts';
import { storeOfRecords } from '../../../evidence/store-of-records.ts';
import { EvidenceAwayError, NoEvidenceError } from '../../errors/errors.ts';

/**
 * Whose evidence is read; default: that of all failed pods.
 *
 * @public
 */
export interface EvidenceChoice {
  /** Only records of this pod. */
  readonly pod?: string;
  /** Only records of this attempt. */
  readonly attempt?: number;
}

/** What is known about the record of a failed pod: the summary in the status, or only its key in the store. */
type Known = { readonly summary: EvidenceSummary } | { readonly key: string };

/**
 * Yields the records of a job's failed pods, newest first. The status lists only the latest; if the choice names a pod
 * or an attempt, the store is searched as well.
 */
export async function* readEvidence(
  given: EvidenceStore,
  status: JobStatus,
  choice: EvidenceChoice,
): AsyncGenerator<EvidenceRecord> {
  const { evidence = [] } = status;
  const store = await holding(given, evidence);
  const known: Known[] = evidence.filter((one) => fits(one, choice)).map((summary) => ({ summary }));
  const isNarrow = choice.pod !== undefined || choice.attempt !== undefined;
  const wanted = isNarrow ? [...known, ...(await unknownOf(store, evidence, choice))] : known;
  if (wanted.length === 0) throw noEvidence(status, choice);
  const missing: EvidenceSummary[] = [];
  let found = 0;
  for (const one of wanted) {
    const record = await recordOf(store, one, status);
    if (record) found++;
    else if ('summary' in one && one.summary.ref) missing.push(one.summary);
    if (record) yield record;
  }
  // Single records may have expired. If all are missing, this client probably reads the wrong place.
  if (found === 0 && missing[0]) throw new EvidenceAwayError(missing[0], store.location);
  for (const summary of missing) yield bare(summary, status, `record: no longer at ${summary.ref}`);
}

/** A fault of the store is thrown when a record of it is read. */
const holding = (store: EvidenceStore, evidence: readonly EvidenceSummary[]): Promise<EvidenceStore> =>
  storeOfRecords(
    store,
    evidence.flatMap(({ ref }) => ref ?? []),
  ).catch(() => store);

export const fits = ({ pod, attempt }: { pod: string; attempt: number }, choice: EvidenceChoice) =>
  (choice.pod === undefined || choice.pod === pod) &&
  (choice.attempt === undefined || choice.attempt === attempt);

/** Finds keys of matching records that the status does not list. All records of a job are in one folder. */
async function unknownOf(
  store: EvidenceStore,
  evidence: readonly EvidenceSummary[],
  choice: EvidenceChoice,
): Promise<Known[]> {
  const known = new Set(evidence.flatMap((one) => keyIn(store, one) ?? []));
  const folders = new Set([...known].map(folderInKey));
  const listed = await Promise.all([...folders].map((folder) => listedRecords(store, folder, evidence)));
  return listed
    .flat()
    .filter((key) => !isPodsRecordKey(key) && !known.has(key) && fits(partsOfKey(key), choice))
    .sort(
      (a, b) => partsOfKey(b).attempt - partsOfKey(a).attempt || a.localeCompare(b, 'en', { numeric: true }),
    )
    .map((key) => ({ key }));
}

async function listedRecords(store: EvidenceStore, folder: string, evidence: readonly EvidenceSummary[]) {
  try {
    return await store.list(folder);
  } catch (error) {
    throw new EvidenceAwayError(evidence.find(({ ref }) => ref)!, store.location, error);
  }
}

function keyIn(store: EvidenceStore, summary: EvidenceSummary): string | undefined {
  if (!summary.ref) return undefined;
  const key = store.keyOf(summary.ref);
  if (!key) throw new EvidenceAwayError(summary, store.location);
  return key;
}

async function recordOf(
  store: EvidenceStore,
  known: Known,
  status: JobStatus,
): Promise<EvidenceRecord | undefined> {
  if ('key' in known) return parsedRecord(await store.find(known.key), store.refOf(known.key));
  const { summary } = known;
  const key = keyIn(store, summary);
  if (!key) return bare(summary, status, summary.incomplete ?? 'record: it was not stored');
  try {
    return parsedRecord(await store.find(key), summary.ref!);
  } catch (error) {
    throw new EvidenceAwayError(summary, store.location, error);
  }
}

function parsedRecord(text: string | undefined, ref: string): EvidenceRecord | undefined {
  if (text === undefined) return undefined;
  const record = evidenceRecord.parse(JSON.parse(text));
  return { ...record, summary: { ...record.summary, ref } };
}

/** Builds a record from the summary if the store has none. */
const bare = (
  summary: EvidenceSummary,
  { kind, namespace, name }: JobStatus,
  why: string,
): EvidenceRecord => ({
  version: 1,
  job: { kind, namespace, name },
  anchorUid: '',
  summary: { ...summary, matches: summary.matches && [...summary.matches] },
  failedAt: summary.failedAt ?? summary.takenAt,
  pod: { conditions: [] },
  containers: [],
  events: [],
  incomplete: [why],
});

function noEvidence(
  { name, evidence = [], cause }: JobStatus,
  { pod, attempt }: EvidenceChoice,
): NoEvidenceError {
  if (evidence.length === 0 && cause?.reason === 'ContainersRestarting') {
    const ofPod = cause.pod === undefined ? '' : ` --pod ${cause.pod}`;
    return new NoEvidenceError(`There is no evidence of ${name} yet: ${cause.message}.`, {
      remedy: `A pod whose containers are restarted in place has not failed. The log of the run that ended: \`signalbox logs ${name}${ofPod} --previous\`.`,
    });
  }
  if (evidence.length === 0) {
    return new NoEvidenceError(`There is no evidence of ${name}: none of its pods has failed.`);
  }
  const of = [pod, attempt === undefined ? undefined : `attempt ${attempt}`].filter(Boolean).join(', ');
  const pods = [...new Set(evidence.map((one) => `${one.pod} (attempt ${one.attempt})`))].join(', ');
  return new NoEvidenceError(`There is no evidence of ${name}: ${of}.`, {
    remedy: `The pods that failed last are ${pods}.`,
  });
}
