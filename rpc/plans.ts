import { validateManifest } from '../client/manifests/offline/validate.ts';
import { manifestToApply } from '../client/use-cases/apply/apply-manifest.ts';
import { planApply } from '../client/use-cases/apply/plan-apply.ts';
import { planArchivedRerun } from '../client/use-cases/archive/rerun-archived.ts';
import { planRerunOf } from '../client/use-cases/rerun/rerun-job.ts';
import type { RerunPlan } from '../client/use-cases/rerun/rerun-manifest.ts';
import type { RerunChanges } from '../client/use-cases/rerun/rerun-options.ts';
import { differingFields } from '../client/use-cases/submit/differing-fields.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import { namedArchive } from './archived-jobs.ts';
import { missingArgument } from './checked-arguments.ts';
import { foundJob } from './find-job.ts';
import { wholeAnswer } from './paging.ts';
import type { Answers, RpcCall } from './rpc-call.ts';

/** Answers that say what a client has to do itself. */
export const planAnswers = {
  async planRerun(call, given) {
    const { set, env, revision, name, strict } = given;
    const edits = set?.map(([path, value]) => ({ path, value }));
    return wholeAnswer(
      await rerunPlan(call, given, { set: edits, env, revision, name, strict }),
      'signalbox rerun --dry-run',
    );
  },
  async planApply({ ports, signal }, { manifest: given, namespace, strict }) {
    const manifest = manifestToApply(given, { namespace, strict });
    const { job, ...plan } = await planApply(ports, manifest, { signal });
    return wholeAnswer({ ...job, ...plan, manifest }, 'signalbox apply --dry-run');
  },
  async differences(call, { job, manifest }) {
    const { workflowId, runId } = await foundJob(call, job);
    return { result: { text: await differingFields(call.ports.temporal, { workflowId, runId }, manifest) } };
  },
  async validate({ configuration }, { manifest, namespace, strict }) {
    const { faults, warnings } = validateManifest(manifest, { namespace, strict, configuration });
    return { result: { faults, warnings } };
  },
} satisfies Partial<Answers>;

async function rerunPlan(
  call: RpcCall,
  { job, archived, runId }: RpcArguments<'planRerun'>,
  changes: RerunChanges,
): Promise<RerunPlan> {
  const { ports, dataConverter, signal } = call;
  if (archived) return planArchivedRerun(await namedArchive(call, archived), changes, { dataConverter });
  if (!job) throw missingArgument('job', 'a job, or `archived`');
  const found = await foundJob(call, runId === undefined ? job : { workflowId: job.workflowId, runId });
  return planRerunOf(ports, found, { ...changes, signal });
}
