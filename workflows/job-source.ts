import { defineQuery, setHandler } from '@temporalio/workflow';
import type { JobSource, PlannedRevision, SourceAnswer } from '../contracts/job-revision.ts';
import { SOURCE_QUERY } from '../contracts/messages.ts';
import type { MadeFrom } from './applied-manifest.ts';
import type { JobView } from './interventions.ts';

interface Host {
  view(): JobView;
  madeFrom(): MadeFrom;
  queuedAmendment(): PlannedRevision | undefined;
}

/** Answers activities that need more of a job than its anchor has, and people who want its manifest. */
export function answerSource({ view, madeFrom, queuedAmendment }: Host): void {
  setHandler(
    defineQuery<SourceAnswer, [number?]>(SOURCE_QUERY),
    (number) => {
      const { position } = view();
      const { manifest, terms, applying } = madeFrom();
      if (!terms || !position) throw new Error('the job is not admitted yet');
      // The next amendment builds on this one, even if the machine has not taken it yet.
      const newest = queuedAmendment() ?? position.context.amended ?? position.context;
      const known: readonly PlannedRevision[] = [newest, position.context];
      const chosen = known.find(({ revision }) => revision.number === number) ?? newest;
      const { settings } = terms;
      const source = { ...sourceOfJob(chosen), manifest, settings, newest: newest.revision.number };
      return applying === undefined ? source : { ...source, applying };
    },
    {
      description:
        'The manifest as submitted or applied last, and what changed since. Argument: the number of a revision.',
    },
  );
}

function sourceOfJob({ plan, revision }: PlannedRevision): Pick<JobSource, 'revision' | 'amended'> {
  const { number, policy } = revision;
  if (number === 1) return { revision: number };
  const replicas = Object.fromEntries(plan.roles.map((role) => [role.name, role.replicas]));
  return { revision: number, amended: { replicas, ...(policy === undefined ? {} : { policy }) } };
}
