import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import { reflect } from '../../../cluster/reflector.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import type { CleanUpScope } from '../../../contracts/clean-up.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { ON_HANG } from '../../../contracts/policy.ts';
import type { ProgressRules } from '../../../contracts/types.ts';
import { isFields, valueAt, withoutUndefined } from '../../../language/fields.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { LoggedJob } from './log-options.ts';

/** What a job's anchor records about its pods. */
export interface LogAnchor {
  readonly uid: string;
  /** The main pod. */
  readonly mainPod: string | undefined;
  /** Names of the main containers by role in lower case. */
  readonly containers: ReadonlyMap<string, string>;
  readonly workflowId: string | undefined;
  readonly firstRunId: string | undefined;
  /** How it reports progress, as its policy says. */
  readonly progress: ProgressRules | undefined;
  /** Which pods were deleted at the end of the job. */
  readonly cleanUp: CleanUpScope | undefined;
  /** Clean-up deleted pods whose program had ended and whose other containers ran on. */
  readonly removedOutlived: boolean;
  /** As the job and its status have it; undefined if they cannot be read. */
  readonly cleanPodPolicy: string | undefined;
  /** Of the manifest, as far as it can be read. */
  readonly kind: { readonly apiVersion: unknown; readonly kind: unknown };
  readonly reason: string | undefined;
}

/**
 * Waits for the anchor of this run of the job and returns its facts; undefined if the signal aborts first. A new run
 * takes over the anchor's name from the run before, whose pods exist until then.
 */
export async function waitForAnchor(
  cluster: ClusterClient,
  { name, namespace, firstRunId }: LoggedJob,
  signal: AbortSignal,
): Promise<LogAnchor | undefined> {
  const found = new AbortController();
  let facts: LogAnchor | undefined;
  const look = (anchor: ConfigMap) => {
    if (parseAnchorRecord(anchor.metadata.annotations).firstRunId !== firstRunId) return;
    facts = factsOf(anchor);
    found.abort();
  };
  const handlers = {
    replaced: (anchors: readonly ConfigMap[]) => anchors.forEach(look),
    changed: look,
    deleted: () => undefined,
  };
  const selection = { namespace, fieldSelector: `metadata.name=${anchorNameOf(name)}` };
  await reflect(
    cluster,
    { resource: CONFIG_MAPS, selection },
    handlers,
    AbortSignal.any([found.signal, signal]),
  );
  return facts;
}

/** Returns the present facts; undefined if the anchor does not exist or may not be read. */
export async function readAnchor(
  cluster: ClusterClient,
  { name, namespace }: JobName,
): Promise<LogAnchor | undefined> {
  try {
    const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorNameOf(name));
    return anchor && factsOf(anchor);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}

function factsOf({ metadata, data = {} }: ConfigMap): LogAnchor {
  const record = parseAnchorRecord(metadata.annotations);
  const { mainPod, mainContainers = {}, workflowId, firstRunId, cleanUp, removedOutlived = false } = record;
  return {
    ...{
      uid: metadata.uid!,
      mainPod,
      containers: new Map(Object.entries(mainContainers)),
      workflowId,
      firstRunId,
      cleanUp,
      removedOutlived,
    },
    progress: progressIn(data.job),
    cleanPodPolicy: textAt(data.job, 'plan.runPolicy.cleanPodPolicy'),
    kind: { apiVersion: foundAt(data.job, 'apiVersion'), kind: foundAt(data.job, 'kind') },
    reason: textAt(data.status, 'cause.reason'),
  };
}

function textAt(json: string | undefined, path: string): string | undefined {
  const found = foundAt(json, path);
  return typeof found === 'string' ? found : undefined;
}

function progressIn(job: string | undefined): ProgressRules | undefined {
  const ofInstallation = foundAt(job, 'plan.onHang');
  const found = foundAt(job, 'plan.policy.progress') ?? (ofInstallation === undefined ? undefined : {});
  if (!isFields(found)) return undefined;
  const { log, annotation, stalledAfterMs, onHang = ofInstallation } = found;
  return withoutUndefined({
    log: typeof log === 'string' ? log : undefined,
    annotation: typeof annotation === 'string' ? annotation : undefined,
    stalledAfterMs: typeof stalledAfterMs === 'number' ? stalledAfterMs : undefined,
    onHang: ON_HANG.find((one) => one === onHang),
  });
}

/** Any user may have edited the anchor. */
function foundAt(json: string | undefined, path: string): unknown {
  try {
    return valueAt(JSON.parse(json ?? 'null'), path);
  } catch {
    return undefined;
  }
}
