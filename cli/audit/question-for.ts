import type { AuditFilter, FilterName } from '../../record/audit/audit-filter.ts';
import { type QuestionName, unknownFilters } from '../../record/audit/questions.ts';

/** The option that selects a question; the first one that is given wins. */
const SIGNS: readonly (readonly [FilterName, QuestionName])[] = [
  ['waited', 'waits'],
  ['restarted', 'restarts'],
  ['request', 'who'],
  ['by', 'who'],
];

/** Returns the question that supports all given filters. */
export function questionFor(filter: AuditFilter): QuestionName {
  const meant = SIGNS.find(
    ([name, question]) => filter[name] && unknownFilters(question, filter).length === 0,
  );
  if (meant) return meant[1];
  const isJobAlone = filter.job !== undefined && !OF_JOBS.some((name) => filter[name] !== undefined);
  // The table of entries knows every filter.
  return isJobAlone || unknownFilters('jobs', filter).length > 0 ? 'entries' : 'jobs';
}

const OF_JOBS: readonly FilterName[] = [
  'by',
  'kind',
  'phase',
  'reason',
  'node',
  'rule',
  'waited',
  'restarted',
];
