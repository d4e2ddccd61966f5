import { whyJob } from '../client/use-cases/why/why-job.ts';
import { whyManifest } from '../client/use-cases/why/why-manifest.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import { foundJob } from './find-job.ts';
import { wholeAnswer } from './paging.ts';
import type { RpcCall } from './rpc-call.ts';

/** Answers why jobs wait. */

export async function answerWhy(call: RpcCall, { job }: RpcArguments<'why'>): Promise<RpcAnswer> {
  const { ports, signal } = call;
  const answer = await whyJob(ports, await foundJob(call, job), { signal });
  return wholeAnswer(answer, `signalbox why --workflow-id ${job.workflowId}`);
}

export async function answerWhyManifest(
  { ports, configuration }: RpcCall,
  { manifest, namespace, strict }: RpcArguments<'whyManifest'>,
): Promise<RpcAnswer> {
  const answer = await whyManifest(ports, manifest, { namespace, strict, configuration });
  return wholeAnswer(answer, 'signalbox why -f');
}
