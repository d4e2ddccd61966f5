import { Counter, Gauge } from 'prom-client';
import type { ArchiverBeat } from '../contracts/archiver.ts';
import { isGpu } from '../contracts/gpus.ts';
import type { DeviceUse } from '../record/uses/job-uses.ts';
import type { ArchiverLag } from './archiver-lag.ts';

/** The archiver's Prometheus metrics, in prom-client's default registry. Every worker with an archive has them. */
const metrics = {
  archived: new Gauge({
    name: 'signalbox_archive_jobs',
    help: 'Jobs archived since the archiver was started.',
  }),
  waiting: new Gauge({
    name: 'signalbox_archive_waiting_jobs',
    help: 'Ended jobs that are not in the archive yet.',
  }),
  oldest: new Gauge({
    name: 'signalbox_archive_oldest_waiting_seconds',
    help: 'How long ago the job ended that has waited longest for its archive; 0 if none waits.',
  }),
  endangered: new Gauge({
    name: 'signalbox_archive_endangered_jobs',
    help: 'Ended jobs that are not in the archive yet and have less than a quarter of Temporal’s retention time left.',
  }),
  failures: new Gauge({
    name: 'signalbox_archive_failed_jobs',
    help: 'Ended jobs that could not be archived and are tried again; `signalbox archive status` names them.',
  }),
  failing: new Gauge({
    name: 'signalbox_archive_failing',
    help: '1 if no job can be archived, e.g. as the store does not work.',
  }),
};

const usedGpuSeconds = new Counter({
  name: 'signalbox_used_gpu_seconds_total',
  help: 'Seconds for which pods of archived jobs held GPUs, times their number, by use (docs/cost.md): all of a job when it is archived.',
  labelNames: ['job_namespace', 'use'],
});

/** Counts what the GPUs of a job were used for. */
export function countUses(namespace: string, uses: readonly DeviceUse[]): void {
  for (const { resource, use, ms } of uses)
    if (isGpu(resource)) usedGpuSeconds.inc({ job_namespace: namespace, use }, ms / 1000);
}

let archiverLag: ArchiverLag | undefined;

new Gauge({
  name: 'signalbox_archive_look_age_seconds',
  help: 'Seconds since the archiver last looked for ended jobs; none on a worker without an archive.',
  collect() {
    if (archiverLag) this.set(archiverLag.seconds());
    else this.remove();
  },
});

export function exposeArchiverLag(age: ArchiverLag): void {
  archiverLag = age;
}

export function observeArchiver({
  archived,
  waiting,
  oldestWaiting,
  endangered,
  failures,
  isStuck,
  at,
}: ArchiverBeat): void {
  metrics.archived.set(archived);
  metrics.waiting.set(waiting);
  metrics.oldest.set(oldestWaiting ? Math.max(0, (Date.parse(at) - Date.parse(oldestWaiting)) / 1000) : 0);
  metrics.endangered.set(endangered);
  metrics.failures.set(failures);
  metrics.failing.set(isStuck ? 1 : 0);
}
