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
      const source = sourceOfRevision({ newest, present: position.context }, number);
      const answer = { ...source, manifest, settings: terms.settings, newest: newest.revision.number };
      return applying === undefined ? answer : { ...answer, applying };
    },
    {
      description:
        'The manifest as submitted or applied last, and what changed since. Argument: the number of a revision.',
    },
  );
}

interface Revisions {
  readonly newest: PlannedRevision;
  /** The one that the machine goes by. */
  readonly present: PlannedRevision;
}

/** Says what a revision changes in the manifest that was applied last; by default the newest revision. */
export function sourceOfRevision(
  { newest, present }: Revisions,
  number: number | undefined,
): Pick<JobSource, 'revision' | 'amended'> {
  const { plan, revision } = number === present.revision.number ? present : newest;
  // The manifest as submitted. Once another one was applied, its sizes are not those of the first revision.
  if (newest.revision.number === 1) return { revision: 1 };
  const { policy } = revision;
  const replicas = Object.fromEntries(plan.roles.map((role) => [role.name, role.replicas]));
  return { revision: revision.number, amended: { replicas, ...(policy === undefined ? {} : { policy }) } };
}
