import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { manifestHashOf } from '../../../contracts/manifest-hash.ts';
import { MEMO } from '../../../contracts/messages.ts';
import {
  PARAMETER_SWEEP,
  type ParameterSweep,
  type PlannedSweep,
  parameterSweepIdOf,
  type SweepCounts,
} from '../../../contracts/parameter-sweep.ts';
import { asFields, withoutUndefined } from '../../../language/fields.ts';
import { SUMMARY_BYTES, shortenToBytes } from '../../../language/shorten.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { InvalidManifestError, NameTakenError } from '../../errors/errors.ts';
import { faultsOfEnvironment, withContainerEnvironment } from '../../manifests/container-environment.ts';
import { asObject, type Manifest } from '../../manifests/named-manifest.ts';
import { ask } from '../../servers/ask.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { planSweep, sweepIn } from './checked-sweep.ts';
import type { SweepOptions } from './sweep-options.ts';

/** Returns the sweep of a manifest, with all faults of its trials thrown as `InvalidManifestError`. Asks no server. */
export async function plannedSweep(
  manifest: object,
  { set, env = {}, atMost, name, namespace = 'default', rerun, stopOnFailure, why, strict }: SweepOptions,
): Promise<{ readonly sweep: ParameterSweep; readonly planned: PlannedSweep }> {
  const faults = faultsOfEnvironment(env);
  if (faults.length > 0) throw new InvalidManifestError(faults, [], { of: 'sweep' });
  const metadata = asObject(asFields(manifest).metadata);
  const named = name === undefined ? manifest : { ...manifest, metadata: { ...metadata, name } };
  const sweep = sweepIn(
    withoutUndefined({
      manifest: withContainerEnvironment(named, env),
      set,
      atMost,
      rerun,
      stopOnFailure,
      why,
    }),
    namespace,
  );
  return { sweep, planned: await planSweep(sweep, { namespace, strict }) };
}

/** Starts a sweep, or finds it running. Throws `NameTakenError` if another one runs under its name. */
export async function startParameterSweep(
  ports: ClientPorts,
  manifest: object,
  options: SweepOptions,
): Promise<JobId & { readonly planned: PlannedSweep }> {
  const { namespace = ports.namespace } = options;
  const found = await plannedSweep(manifest, { ...options, namespace });
  const begun = startOf(found, ports.user);
  const { workflowId } = begun;
  const start = async () => {
    try {
      return (await ports.temporal.workflow.start(PARAMETER_SWEEP, startOptions(ports, begun)))
        .firstExecutionRunId;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return sameRun(ports, begun);
    }
  };
  const runId = await ask({ ports, workflowId, options }, start);
  return { workflowId, runId, firstRunId: runId, planned: found.planned };
}

/** What starts the workflow of a sweep. */
interface SweepStart {
  readonly workflowId: string;
  readonly sweep: ParameterSweep;
  readonly memo: Readonly<Record<string, unknown>>;
  readonly summary: string;
}

/** Returns what a client in any language starts, for the user who asked it. */
export function startOf(
  { sweep, planned }: Awaited<ReturnType<typeof plannedSweep>>,
  user: string,
): SweepStart {
  const { namespace, name, trials, atMost } = planned;
  const summary = `parameter sweep ${namespace}/${name} · ${trials} trials, at most ${atMost} at once · by ${user}`;
  const memo = {
    [MEMO.manifestHash]: manifestHashOf(sweep as unknown as Manifest),
    ...{ [MEMO.submittedBy]: user, [MEMO.sweep]: countsAtStart(planned) },
  };
  return {
    workflowId: parameterSweepIdOf(planned),
    sweep,
    memo,
    summary: shortenToBytes(summary, SUMMARY_BYTES),
  };
}

function startOptions({ taskQueue }: ClientPorts, { workflowId, sweep, memo, summary }: SweepStart) {
  return {
    args: [sweep],
    ...{ workflowId, taskQueue, memo, staticSummary: summary },
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  } as const;
}

const countsAtStart = ({ name, namespace, trials, atMost }: PlannedSweep): SweepCounts => ({
  ...{ name, namespace, phase: 'Running', trials, atMost, waiting: trials },
  ...{ running: 0, completed: 0, failed: 0, stopped: 0, refused: 0 },
});

/** Returns the run of the same sweep. */
async function sameRun(
  { temporal }: ClientPorts,
  { workflowId, memo }: SweepStart,
): Promise<string | undefined> {
  const live = await findWorkflow(temporal, workflowId);
  if (!live || live.memo?.[MEMO.manifestHash] === memo[MEMO.manifestHash]) return live && firstRunIdOf(live);
  throw new NameTakenError({
    ...{ workflowId, phase: 'Running', since: live.startTime, what: 'Another sweep' },
    remedy: 'Nothing was started. Stop it (`signalbox sweep stop`), or choose another name (--name).',
  });
}
