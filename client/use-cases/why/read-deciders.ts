import type { Reading } from '../../../cluster/reading.ts';
import { LEASES, type Lease } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import { formatDuration } from '../../../language/duration.ts';
import { TURN_IS_OVER_MS } from '../../../queue/decide-turns.ts';

/** Why nothing is granted at the moment, though a lane lets jobs start. */
export interface NotDecided {
  /** `away`: no watcher leads. `new`: one has just taken over. */
  readonly watcher: 'away' | 'new';
  readonly why: string;
}

/**
 * Returns why nobody grants what lanes let start; undefined if a watcher does, or that is not known. Watchers have their leases
 * beside the lanes. `at`: by the clock of the API server, which also notes when a lease was written.
 */
export async function readDeciders(
  reading: Reading,
  { namespace }: LanesReference,
  at: number,
): Promise<NotDecided | undefined> {
  const leases = await reading.list<Lease>(
    { resource: LEASES, selection: { namespace, labelSelector: `${LABELS.part}=watcher` } },
    `whether a watcher decides is not known: leases of namespace ${namespace} may not be listed`,
  );
  const found = leases.map((lease) => judged(lease, at));
  return found.every((one) => one !== undefined) ? found[0] : undefined;
}

/** What a job is told that need not wait for others. */
export const letInText = (notDecided: NotDecided | undefined): string =>
  notDecided ? `its lane lets it start, but ${notDecided.why}` : 'its lane lets it start';

/** The API server notes whole seconds. */
const SLACK_MS = 2_000;

function judged({ metadata, spec = {} }: Lease, at: number): NotDecided | undefined {
  const writtenAt = Math.max(...(metadata.managedFields ?? []).map(({ time }) => Date.parse(time ?? '')));
  const silentMs = at - writtenAt;
  if (!Number.isFinite(silentMs)) return undefined;
  const { holderIdentity, acquireTime, renewTime, leaseDurationSeconds = 15 } = spec;
  if (!holderIdentity || silentMs > leaseDurationSeconds * 1000 + SLACK_MS)
    return {
      watcher: 'away',
      why: `no watcher has led for ${formatDuration(Math.max(0, silentMs))}: ${SEE_DOCTOR}`,
    };
  // Both by the clock of the watcher.
  const ledMs = Date.parse(renewTime ?? '') - Date.parse(acquireTime ?? '');
  if (!(ledMs < TURN_IS_OVER_MS)) return undefined;
  const why = `a watcher has just taken over, and may grant nothing for ${TURN_IS_OVER_MS / 1000} s`;
  return { watcher: 'new', why };
}

const SEE_DOCTOR = 'see `signalbox doctor`';
