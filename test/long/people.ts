import type { Chance } from '../scenarios/chance.ts';
import { type ChaosRun, refusal } from '../scenarios/chaos-faults.ts';

/** Somebody changes a part of a job's policy that no end depends on. */
export async function changePolicy(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const job = chance.pick(jobs.filter(({ plannedEnd }) => plannedEnd === 'completes'));
  const policies = [
    { evidence: { logLines: chance.between(0, 200) } },
    { nodes: { avoidAtMost: chance.between(1, 5) } },
    { scaleByRestart: chance.between(0, 1) === 0 },
  ];
  const policy = chance.pick(policies)!;
  if (!job) return undefined;
  const answer = await control.jobs
    .get(job.name)!
    .amendPolicy({ by: 'chaos', policy })
    .then(() => 'yes', refusal);
  note(`${job.name}: amend ${JSON.stringify(policy)}? ${answer}`);
  return answer === 'yes' ? 'person: amend' : undefined;
}
