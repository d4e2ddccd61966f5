import { fieldsOfJson } from '../language/fields.ts';
import type { ConfigMap } from './kubernetes.ts';
import { LABELS } from './labels.ts';
import {
  formatLanePlace,
  formatLaneRequest,
  type LanePlace,
  type LaneRequest,
  type LanesReference,
  parseLanePlace,
  parseLaneRequest,
} from './lane-request.ts';

/**
 * What decisions about lanes rest on: one ConfigMap for each job, in the namespace that has the lanes. Lanes share capacity
 * between namespaces, so nobody who may write in one of these, or on an anchor there, decides about it.
 */
export interface LaneRecord {
  readonly namespace: string;
  readonly job: string;
  /** A uid is never used again, and nobody can choose one. */
  readonly anchorUid: string;
  readonly request: LaneRequest;
  /** Absent while the job is not in its lane, e.g. suspended. */
  readonly place?: LanePlace;
  /** The job has ended, and pods of it may be left. */
  readonly hasEnded?: true;
}

export const laneRecordName = (anchorUid: string): string => `signalbox-lane-${anchorUid}`;

/** Selects the records of jobs in these lanes, and of others beside them. */
export const laneRecordsBeside = ({ namespace }: LanesReference) => ({
  namespace,
  labelSelector: `${LABELS.laneRecord}=true`,
});

export const renderLaneRecord = (record: LaneRecord, lanes: LanesReference): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: laneRecordName(record.anchorUid),
    namespace: lanes.namespace,
    labels: { [LABELS.laneRecord]: 'true' },
  },
  data: {
    lanes: lanes.name,
    of: JSON.stringify({ namespace: record.namespace, job: record.job, anchorUid: record.anchorUid }),
    ...withoutNulls(laneRecordData(record)),
  },
});

type Changes = Partial<Pick<LaneRecord, 'request' | 'hasEnded'>> & { readonly place?: LanePlace | null };

/** Returns the data of a merge patch. null: it is not in its lane any more. */
export const laneRecordData = ({ request, place, hasEnded }: Changes): Record<string, string | null> => ({
  ...(request ? { request: formatLaneRequest(request) } : {}),
  ...(place === undefined ? {} : { place: place && formatLanePlace(place) }),
  ...(hasEnded ? { ended: 'true' } : {}),
});

/** Returns undefined for what no worker has written, and for a job in other lanes. */
export function parseLaneRecord(
  { metadata, data = {} }: ConfigMap,
  lanes: LanesReference,
): LaneRecord | undefined {
  const { namespace, job, anchorUid } = fieldsOfJson(data.of);
  const request = parseLaneRequest(data.request);
  const place = parseLanePlace(data.place);
  if (typeof namespace !== 'string' || typeof job !== 'string' || typeof anchorUid !== 'string' || !request)
    return undefined;
  if (metadata.name !== laneRecordName(anchorUid) || data.lanes !== lanes.name) return undefined;
  return {
    ...{ namespace, job, anchorUid, request },
    ...(place ? { place } : {}),
    ...(data.ended === 'true' ? { hasEnded: true } : {}),
  };
}

const withoutNulls = (data: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
