import { formatDuration } from '../../../language/duration.ts';
import type { PageSection } from '../page/document.ts';
import { html } from '../page/markup.ts';
import { sentenceOf } from '../page/words.ts';
import { tableOrNone } from './paid.ts';
import type { PeriodReport } from './period-report.ts';

export function reasonsSection({ reasons }: PeriodReport): PageSection {
  const rows = reasons.map(({ reason, jobs }) => [
    reason === null ? 'not known' : html`${reason}<br><span class="small muted">${sentenceOf(reason)}</span>`,
    jobs,
  ]);
  const columns = [{ heading: 'Reason' }, { heading: 'Jobs', is: 'number' }] as const;
  return {
    ...{ id: 'reasons', heading: 'Why jobs failed' },
    content: tableOrNone('Reasons of failed jobs, the commonest first', columns, rows),
  };
}

const RESTARTS = [
  { heading: 'Because of' },
  { heading: 'Restarts', is: 'number' },
  { heading: 'Jobs', is: 'number', late: true },
  { heading: 'Ran again after (median)', is: 'number' },
  { heading: 'Longest', is: 'number', late: true },
] as const;

export function restartsSection({ restarts }: PeriodReport): PageSection {
  const time = (ms: number | null) => (ms === null ? 'never' : formatDuration(ms));
  const rows = restarts.map((one) => [
    ...[one.cause, one.restarts, one.jobs, time(one.medianMs), time(one.longestMs)],
  ]);
  return {
    ...{ id: 'restarts', heading: 'Restarts' },
    content: tableOrNone('Restarts by their cause', RESTARTS, rows),
  };
}

const NODES = [
  { heading: 'Node' },
  { heading: 'Restarts', is: 'number' },
  { heading: 'Failed jobs', is: 'number' },
  { heading: 'Jobs', is: 'number', late: true },
  { heading: 'Because of' },
] as const;

export function nodesSection({ nodes }: PeriodReport): PageSection {
  const rows = nodes.map(({ node, restarts, failedJobs, jobs, causes }) => [
    ...[node, restarts, failedJobs, jobs, causes.join(', ')],
  ]);
  return {
    ...{ id: 'nodes', heading: 'Nodes with most failures' },
    content: html`${tableOrNone('Nodes of the pods that failed', NODES, rows)}
<p class="small muted">How long pods ran on each node is not recorded: a node with more jobs has more failures.</p>`,
  };
}
