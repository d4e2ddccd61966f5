import { parseQuantity } from '../../../../contracts/quantity.ts';
import { containerNamed } from '../spec/containers.ts';
import type { ReplicatedJob } from '../spec/runtime.ts';
import { type JobWithRuntime, NODE } from './ml-policy.ts';

/** What a node has of a resource; requests come before limits, and those of the TrainJob replace the runtime's. */
function amountsOf(job: JobWithRuntime, replicated: ReplicatedJob, isMeant: (name: string) => boolean) {
  const { resources } = containerNamed(replicated, NODE) ?? {};
  const given = job.options.trainer?.resourcesPerNode ?? resources ?? {};
  return [given.requests, given.limits].flatMap((amounts = {}) =>
    Object.entries(amounts).flatMap(([name, amount]) => (isMeant(name) ? [amount as string | number] : [])),
  );
}

/** Returns how many GPUs a node has; 0 if none. */
export function gpusOfNode(job: JobWithRuntime, replicated: ReplicatedJob): number {
  const [amount] = amountsOf(job, replicated, (name) => name.includes('gpu'));
  return amount === undefined ? 0 : wholeOf(amount);
}

/** Returns how many CPUs a node has, rounded up; 0 if it does not say. */
export function cpusOfNode(job: JobWithRuntime, replicated: ReplicatedJob): number {
  const [amount] = amountsOf(job, replicated, (name) => name === 'cpu');
  return amount === undefined ? 0 : wholeOf(amount);
}

const NANOS = 1_000_000_000n;

const wholeOf = (amount: string | number): number => {
  const { nanos } = parseQuantity(amount) ?? { nanos: 0n };
  return Number((nanos + NANOS - 1n) / NANOS);
};
