import type { TopJob } from '../../../cli/top/top-job.ts';
import { type TopState, withSelection } from '../../../cli/top/top-state.ts';

export const job = (name: string, more: Partial<TopJob> = {}): TopJob => ({
  ...{ workflowId: `job/ml/${name}`, runId: `run of ${name}`, namespace: 'ml', name, kind: 'PyTorchJob' },
  ...{ phase: 'Running', attempt: 1, startTime: '2026-12-01T05:00:00Z', ...more },
});

export const state = (jobs: readonly TopJob[], more: Partial<TopState> = {}): TopState =>
  withSelection({
    ...{ size: { columns: 100, rows: 24 }, namespace: 'ml', jobs, counts: countsOf(jobs), asOf: 0 },
    ...{ sort: { isReversed: false }, filter: { text: '', words: [] }, index: 0, ...more },
  });

function countsOf(jobs: readonly TopJob[]): TopState['counts'] {
  const counts: Record<string, number> = {};
  for (const { phase } of jobs) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}
