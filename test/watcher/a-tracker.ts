import pino from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { Readiness } from '../../leader/readiness.ts';
import { JobTracker } from '../../watcher/job-tracker.ts';

type JobTrackerOptions = ConstructorParameters<typeof JobTracker>[0];

export const HOME = { installation: 'one', clusterId: 'two' };

/** A tracker as a leader builds it. Unless it follows a cluster, the test fills its store. */
export const aTracker = (
  tools: Partial<JobTrackerOptions> & Pick<JobTrackerOptions, 'send'>,
  signal = new AbortController().signal,
): JobTracker =>
  new JobTracker(
    {
      cluster: { find: async () => undefined } as unknown as ClusterClient,
      readiness: new Readiness(),
      home: HOME,
      noteForeign: () => undefined,
      log: pino({ level: 'silent' }),
      ...tools,
    },
    signal,
  );
