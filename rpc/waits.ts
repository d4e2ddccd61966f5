import { whyJob } from '../client/use-cases/why/why-job.ts';
import { whyManifest } from '../client/use-cases/why/why-manifest.ts';
import { foundJob } from './find-job.ts';
import { wholeAnswer } from './paging.ts';
import type { Answers } from './rpc-call.ts';

/** Answers why jobs wait. */
export const waitAnswers = {
  async why(call, { job }) {
    const { ports, signal } = call;
    const answer = await whyJob(ports, await foundJob(call, job), { signal });
    return wholeAnswer(answer, `signalbox why --workflow-id ${job.workflowId}`);
  },
  async whyManifest({ ports, configuration }, { manifest, namespace, strict }) {
    const answer = await whyManifest(ports, manifest, { namespace, strict, configuration });
    return wholeAnswer(answer, 'signalbox why -f');
  },
} satisfies Partial<Answers>;
