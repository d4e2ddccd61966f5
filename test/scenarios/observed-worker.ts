import { join } from 'node:path';
import { sandboxLayout } from '@signalbox/sandbox';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import { pino } from 'pino';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { startWorker } from '../../worker/worker.ts';
import type { Observed } from './observed-workflow.ts';
import type { ShortHistories } from './short-histories.ts';

/** A worker whose workflows tell what their machines really do. */
export interface ObservedWorker {
  /** What the machine of a run did, in order, without what it only thought of. */
  stepsOf(runId: string): readonly Observed[];
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '..', '..');

/** `environment`: more settings of it. */
export async function startObservedWorker(
  { sandbox, temporalAddress }: ShortHistories,
  environment: NodeJS.ProcessEnv = {},
): Promise<ObservedWorker> {
  const seen = new Map<string, Map<number, Observed>>();
  const step = {
    // A repeated workflow task tells the same again.
    fn: ({ runId }: WorkflowInfo, observed: Observed) => {
      const ofRun = seen.get(runId) ?? new Map<number, Observed>();
      seen.set(runId, ofRun.set(observed.number, observed));
    },
    callDuringReplay: false,
  };
  const settings = resolveSettings({
    flags: {},
    env: {
      ...environment,
      TEMPORAL_ADDRESS: temporalAddress,
      SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
      SIGNALBOX_EVIDENCE_DIR: sandboxLayout(sandbox.dir).evidence,
      SIGNALBOX_ARCHIVE_STORE: 'none',
    },
    sandbox: () => undefined,
  });
  const workflowBundle = await bundleObserved();
  const worker = await startWorker(settings, pino({ level: 'silent' }), {
    workflowBundle,
    sinks: { observed: { step } },
  });
  return {
    stepsOf: (runId) => realSteps([...(seen.get(runId)?.values() ?? [])]),
    stop: () => worker.stop(),
  };
}

/** The workflow also asks the machine what would follow: nobody goes on from such a result. */
function realSteps(calls: readonly Observed[]): readonly Observed[] {
  const inOrder = [...calls].sort((a, b) => a.number - b.number);
  const real: Observed[] = [];
  let state = inOrder[0]?.job;
  for (const [index, call] of inOrder.entries()) {
    if (call.job !== state) continue;
    const later = inOrder.slice(index + 1);
    const isContinued = later.some(({ job }) => job === call.result);
    const isReplaced = later.some(({ job }) => job === state);
    if (!isContinued && isReplaced) continue;
    real.push(call);
    state = call.result;
  }
  return real;
}

/** The engine's own workflows, with the observed step in place of the machine's. */
const bundleObserved = (): Promise<NonNullable<WorkerOptions['workflowBundle']>> =>
  bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'workflows.ts'),
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => {
      const alias = { '../machines/step.ts$': join(import.meta.dirname, 'observed-workflow.ts') };
      const rules = [
        ...(config.module?.rules ?? []),
        { test: /workflows.training-job\.ts$/, resolve: { alias } },
      ];
      return { ...config, module: { ...config.module, rules } };
    },
  });
