import { register } from 'prom-client';
import { JOB_COUNTERS, JOB_HISTOGRAMS } from '../../contracts/job-metrics.ts';
import { table } from './markdown.ts';
import '../../bridge/metrics.ts';
import '../../cli/processes/build-info.ts';
import '../../watcher/metrics.ts';
import '../../worker/archiver-metrics.ts';

/** Which processes have metrics with a prefix; all others in prom-client's registry are of watchers. */
const PROCESSES: readonly (readonly [prefix: string, of: string])[] = [
  ['signalbox_archive_', 'workers with an archive'],
  ['signalbox_bridge_', 'bridges'],
  ['signalbox_build_', 'all'],
];

/** Returns a row for each metric of signalbox. */
export function metricsTable(): string {
  const ofJobs = [...Object.values(JOB_COUNTERS), ...Object.values(JOB_HISTOGRAMS)];
  const others = register.getMetricsAsArray().map(({ name, help }) => ({ name, help, of: processOf(name) }));
  const rows = [...ofJobs.map((metric) => ({ ...metric, of: 'workers' })), ...others.toSorted(byProcess)];
  return table(
    ['metric', 'of', 'what'],
    rows.map(({ name, of, help }) => [`\`${name}\``, of, help]),
  );
}

const processOf = (name: string): string =>
  PROCESSES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'watchers';

/** Workers first, as jobs come to them first. */
const ORDER = ['workers with an archive', 'watchers', 'bridges', 'all'];

const byProcess = (a: { readonly of: string }, b: { readonly of: string }) =>
  ORDER.indexOf(a.of) - ORDER.indexOf(b.of);
