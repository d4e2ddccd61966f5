/** What the engine itself cannot do, as the notifier finds it out: a row each. `docs/alerts.md` has what to do. */
export const ENGINE_CONDITIONS = {
  NoWorker: {
    sentence: 'No worker asks for tasks: jobs make no progress, and none can start.',
    remedy: 'Start one: `signalbox worker`; `signalbox doctor` says what keeps it.',
  },
  ArchiveEndangered: {
    sentence: 'Ended jobs are not in the archive, and Temporal will soon delete them.',
    remedy: '`signalbox archive status` names them and says what keeps each from the archive.',
  },
  ArchiveFailing: {
    sentence: 'No ended job can be archived.',
    remedy: '`signalbox archive status` says why.',
  },
  ArchiverSilent: {
    sentence: 'The archiver has not looked for ended jobs for minutes.',
    remedy: 'Start a worker with an archive; `signalbox archive status` says why none takes its tasks.',
  },
  CensusStale: {
    sentence: 'Jobs could not be listed for minutes: counts of jobs and notifications of them are late.',
    remedy: 'Look at the health of Temporal’s visibility store.',
  },
} as const;

export type EngineCondition = keyof typeof ENGINE_CONDITIONS;
